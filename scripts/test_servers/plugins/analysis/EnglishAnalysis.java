package rirag.analysis;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.FilteringTokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.elasticsearch.plugin.Inject;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.AnalyzerFactory;
import org.elasticsearch.plugin.analysis.TokenFilterFactory;
import org.elasticsearch.plugin.analysis.TokenizerFactory;
import org.elasticsearch.plugin.settings.AnalysisSettings;
import org.elasticsearch.plugin.settings.BooleanSetting;
import org.elasticsearch.plugin.settings.ListSetting;
import org.elasticsearch.plugin.settings.StringSetting;

/** Filters of Lucene under the names and settings that a complete Elasticsearch gives them. */
public final class EnglishAnalysis {
    private EnglishAnalysis() {}

    @AnalysisSettings
    public interface Language {
        @StringSetting(path = "language", defaultValue = "English")
        String language();
    }

    @NamedComponent("snowball")
    public static final class Snowball implements TokenFilterFactory {
        private final String language;

        @Inject
        public Snowball(Language settings) {
            language = settings.language();
        }

        @Override
        public TokenStream create(TokenStream words) {
            return new SnowballFilter(words, language);
        }
    }

    @NamedComponent("stemmer")
    public static final class Stemmer implements TokenFilterFactory {
        private final String language;

        @Inject
        public Stemmer(Language settings) {
            language = settings.language();
        }

        @Override
        public TokenStream create(TokenStream words) {
            return switch (language) {
                case "possessive_english" -> new EnglishPossessiveFilter(words);
                case "English", "english", "porter" -> new PorterStemFilter(words);
                default -> throw new IllegalArgumentException(
                    "this test server knows no stemmer for " + language
                );
            };
        }
    }

    @NamedComponent("porter_stem")
    public static final class PorterStem implements TokenFilterFactory {
        @Override
        public TokenStream create(TokenStream words) {
            return new PorterStemFilter(words);
        }
    }

    @NamedComponent("english")
    public static final class English implements AnalyzerFactory {
        @Override
        public Analyzer create() {
            return new EnglishAnalyzer();
        }
    }

    // The rest is for the index in which the server keeps users and API keys.

    @AnalysisSettings
    public interface Capture {
        @ListSetting(path = "patterns")
        List<String> patterns();

        @BooleanSetting(path = "preserve_original", defaultValue = true)
        boolean preserveOriginal();
    }

    @NamedComponent("pattern_capture")
    public static final class PatternCapture implements TokenFilterFactory {
        private final Pattern[] patterns;
        private final boolean preserveOriginal;

        @Inject
        public PatternCapture(Capture settings) {
            patterns = settings.patterns().stream().map(Pattern::compile).toArray(Pattern[]::new);
            preserveOriginal = settings.preserveOriginal();
        }

        @Override
        public TokenStream create(TokenStream words) {
            return new PatternCaptureGroupTokenFilter(words, preserveOriginal, patterns);
        }
    }

    @NamedComponent("unique")
    public static final class Unique implements TokenFilterFactory {
        @Override
        public TokenStream create(TokenStream words) {
            return new FirstOfEach(words);
        }
    }

    private static final class FirstOfEach extends FilteringTokenFilter {
        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final CharArraySet seen = new CharArraySet(16, false);

        FirstOfEach(TokenStream words) {
            super(words);
        }

        @Override
        protected boolean accept() {
            return seen.add(term.toString());
        }

        @Override
        public void reset() throws IOException {
            super.reset();
            seen.clear();
        }
    }

    @NamedComponent("uax_url_email")
    public static final class UrlEmail implements TokenizerFactory {
        @Override
        public Tokenizer create() {
            return new UAX29URLEmailTokenizer();
        }
    }
}
