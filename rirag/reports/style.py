"""How the report looks, on screen and on paper."""

STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; color: #1c2430; background: #fff;
  max-width: 1180px; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .3rem; }
p { max-width: 46rem; margin: .3rem 0 1rem; color: #3b4654; }
pre { background: #f4f6f8; padding: .6rem .8rem; overflow-x: auto; font-size: .85rem; }
figure { margin: 0 1.2rem 1rem 0; display: inline-block; vertical-align: top; }
figcaption { font-weight: 600; margin-left: 170px; }
svg { font: 12.5px system-ui, "Segoe UI", Roboto, sans-serif; width: 100%; height: auto;
  min-width: 480px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem;
  margin: .4rem 0 1rem; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #dfe4ea; }
thead th { border-bottom: 2px solid #9aa5b1; font-weight: 600; }
tbody th { text-align: left; font-weight: 500; white-space: nowrap; }
#ways td:nth-child(2), .facts td, #duties td { text-align: left; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { max-width: 46rem; margin: 0 0 1rem; padding-left: 1rem;
  border-left: 3px solid #9aa5b1; }
@media print {
  body { margin: 0; max-width: none; font-size: 11px; }
  section, figure, table { break-inside: avoid; }
  h2 { break-after: avoid; }
  td, rect, circle { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
