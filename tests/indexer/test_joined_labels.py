"""Numbers that carry the labels below them are taken apart."""

import pytest

from indexer.structuring.labels.joined_labels import JoinedLabels


@pytest.mark.parametrize(
    ("lines", "apart"),
    [
        (["1.1.1(1) Pay.", "1.1.1(2) Soon."], ["1.1.1\t(1)\tPay.", "(2)\tSoon."]),
        (["2.4(1)\tpay:", "2.4(1)(a)\tnow"], ["2.4\t(1)\tpay:", "(a)\tnow"]),
        (["12. (1) Pay.", "13(1) Repay."], ["12\t(1)\tPay.", "13\t(1)\tRepay."]),
        (["1.1(1) Pay:", "1.1(1)(a) now;", "1.1(1)(b) later."],
         ["1.1\t(1)\tPay:", "(a)\tnow;", "(b)\tlater."]),
    ],
)  # fmt: skip
def test_each_label_is_named_once(lines, apart):
    joined = JoinedLabels()
    assert [joined.apart(line) for line in lines] == apart


@pytest.mark.parametrize(
    "line",
    [
        "1.1.1(1) applies to all firms.",
        "1.1.1 A firm must pay.",
        "(a) A firm must pay.",
        "2016(1) Law Reports",
        "12(1)",
        "1.1.1(1)and (2)",
    ],
)
def test_other_lines_stay(line):
    assert JoinedLabels().apart(line) == line


def test_the_same_number_again_is_a_reference():
    joined = JoinedLabels()
    joined.apart("1.1.1(1) A firm must pay.")
    assert joined.apart("1.1.1(1) Does not apply.") == "1.1.1(1) Does not apply."
