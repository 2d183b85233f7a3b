package dev.holdfast.document.analysis;

import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bn.BengaliNormalizationFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.ckb.SoraniNormalizationFilter;
import org.apache.lucene.analysis.classic.ClassicFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsFilter;
import org.apache.lucene.analysis.commongrams.CommonGramsQueryFilter;
import org.apache.lucene.analysis.core.DecimalDigitFilter;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.core.TypeTokenFilter;
import org.apache.lucene.analysis.core.UpperCaseFilter;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.de.GermanNormalizationFilter;
import org.apache.lucene.analysis.de.GermanStemFilter;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.fa.PersianNormalizationFilter;
import org.apache.lucene.analysis.fa.PersianStemFilter;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.hi.HindiNormalizationFilter;
import org.apache.lucene.analysis.in.IndicNormalizationFilter;
import org.apache.lucene.analysis.minhash.MinHashFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.FingerprintFilter;
import org.apache.lucene.analysis.miscellaneous.KeepWordFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.miscellaneous.LimitTokenCountFilter;
import org.apache.lucene.analysis.miscellaneous.PatternKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianNormalizationFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.apache.lucene.analysis.pattern.PatternReplaceFilter;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.shingle.ShingleFilter;
import org.apache.lucene.analysis.sr.SerbianNormalizationFilter;
import org.apache.lucene.analysis.synonym.SynonymFilter;
import org.apache.lucene.analysis.synonym.SynonymGraphFilter;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.apache.lucene.analysis.te.TeluguNormalizationFilter;
import org.apache.lucene.analysis.tr.ApostropheFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.analysis.util.ElisionFilter;

/// Every kind of token filter.
final class TokenFilters {
  static final Registry<Kind> ALL =
      Registry.<Kind>of("filter")
          .with("lowercase", plain(TokenFilters::lowercase))
          .with("uppercase", normalizing(UpperCaseFilter::new))
          .with("asciifolding", plain(TokenFilters::asciiFolding))
          .with("stop", plain(TokenFilters::stop))
          .with("stemmer", plain(p -> part(Stemmers.of(language(p)))))
          .with("snowball", plain(TokenFilters::snowball))
          .with("porter_stem", simple(PorterStemFilter::new))
          .with("kstem", simple(KStemFilter::new))
          .with("arabic_stem", simple(ArabicStemFilter::new))
          .with("brazilian_stem", simple(BrazilianStemFilter::new))
          .with("czech_stem", simple(CzechStemFilter::new))
          .with("dutch_stem", simple(Stemmers.snowball("Dutch")))
          .with("french_stem", simple(Stemmers.snowball("French")))
          .with("german_stem", simple(GermanStemFilter::new))
          .with("persian_stem", simple(PersianStemFilter::new))
          .with("russian_stem", simple(Stemmers.snowball("Russian")))
          .with("stemmer_override", plain(StemmerRules::part))
          .with("length", plain(TokenFilters::length))
          .with("truncate", plain(TokenFilters::truncate))
          .with("trim", normalizing(TrimFilter::new))
          .with("reverse", simple(ReverseStringFilter::new))
          .with("unique", plain(TokenFilters::unique))
          .with("shingle", plain(TokenFilters::shingle))
          .with("ngram", plain(TokenFilters::ngram))
          .with("nGram", plain(TokenFilters::ngram))
          .with("edge_ngram", plain(TokenFilters::edgeNgram))
          .with("edgeNGram", plain(TokenFilters::edgeNgram))
          .with("word_delimiter", plain(WordDelimiters::plain))
          .with("word_delimiter_graph", plain(WordDelimiters::graph))
          .with("synonym", (p, before) -> synonym(Synonyms.of(p, before)))
          .with("synonym_graph", (p, before) -> synonymGraph(Synonyms.of(p, before)))
          .with("flatten_graph", simple(FlattenGraphFilter::new))
          .with("elision", plain(TokenFilters::elision))
          .with("apostrophe", simple(ApostropheFilter::new))
          .with("classic", simple(ClassicFilter::new))
          .with("cjk_width", normalizing(CJKWidthFilter::new))
          .with("cjk_bigram", plain(TokenFilters::cjkBigram))
          .with("common_grams", plain(TokenFilters::commonGrams))
          .with("decimal_digit", normalizing(DecimalDigitFilter::new))
          .with("keyword_marker", plain(TokenFilters::keywordMarker))
          .with("keyword_repeat", simple(KeywordRepeatFilter::new))
          .with("keep", plain(TokenFilters::keep))
          .with("keep_types", plain(TokenFilters::keepTypes))
          .with("limit", plain(TokenFilters::limit))
          .with("min_hash", plain(TokenFilters::minHash))
          .with("pattern_replace", plain(TokenFilters::patternReplace))
          .with("pattern_capture", plain(TokenFilters::patternCapture))
          .with("fingerprint", plain(TokenFilters::fingerprint))
          .with("remove_duplicates", simple(RemoveDuplicatesTokenFilter::new))
          .with("arabic_normalization", normalizing(ArabicNormalizationFilter::new))
          .with("bengali_normalization", normalizing(BengaliNormalizationFilter::new))
          .with("german_normalization", normalizing(GermanNormalizationFilter::new))
          .with("hindi_normalization", normalizing(HindiNormalizationFilter::new))
          .with("indic_normalization", normalizing(IndicNormalizationFilter::new))
          .with("persian_normalization", normalizing(PersianNormalizationFilter::new))
          .with("scandinavian_folding", normalizing(ScandinavianFoldingFilter::new))
          .with("scandinavian_normalization", normalizing(ScandinavianNormalizationFilter::new))
          .with("serbian_normalization", normalizing(SerbianNormalizationFilter::new))
          .with("sorani_normalization", normalizing(SoraniNormalizationFilter::new))
          .with("telugu_normalization", normalizing(TeluguNormalizationFilter::new));

  private TokenFilters() {}

  /// Makes a filter of its settings.
  interface Kind {
    /// @param before the analyser up to this filter
    Part make(Parameters parameters, Analyzer before);
  }

  /// A filter ready to be applied; normalising ones change characters and may be used by
  /// normalisers too.
  record Part(boolean isNormalizing, UnaryOperator<TokenStream> filter) {}

  private static Kind plain(Function<Parameters, Part> maker) {
    return (parameters, _) -> maker.apply(parameters);
  }

  private static Kind simple(UnaryOperator<TokenStream> filter) {
    return (_, _) -> new Part(false, filter);
  }

  private static Kind normalizing(UnaryOperator<TokenStream> filter) {
    return (_, _) -> new Part(true, filter);
  }

  private static Part part(UnaryOperator<TokenStream> filter) {
    return new Part(false, filter);
  }

  private static String language(Parameters parameters) {
    return parameters.text("language", parameters.text("name", "porter"));
  }

  private static Part lowercase(Parameters parameters) {
    String language = parameters.text("language", "");
    return new Part(
        true,
        switch (language.toLowerCase(Locale.ROOT)) {
          case "" -> LowerCaseFilter::new;
          case "greek" -> GreekLowerCaseFilter::new;
          case "irish" -> IrishLowerCaseFilter::new;
          case "turkish" -> TurkishLowerCaseFilter::new;
          default ->
              throw Refusal.badArgument("language [" + language + "] not support for lower case");
        });
  }

  private static Part asciiFolding(Parameters parameters) {
    boolean keepsOriginal = parameters.flag("preserve_original", false);
    return new Part(true, tokens -> new ASCIIFoldingFilter(tokens, keepsOriginal));
  }

  private static Part stop(Parameters parameters) {
    boolean isCaseIgnored = parameters.flag("ignore_case", false);
    CharArraySet words =
        StopWords.of(
            parameters,
            org.apache.lucene.analysis.en.EnglishAnalyzer.getDefaultStopSet(),
            isCaseIgnored);
    boolean removesTrailing = parameters.flag("remove_trailing", true);
    return part(
        removesTrailing
            ? tokens -> new StopFilter(tokens, words)
            : tokens -> new TrailingStopFilter(tokens, words));
  }

  private static Part snowball(Parameters parameters) {
    String language = parameters.text("language", parameters.text("name", "English"));
    String name =
        language.substring(0, 1).toUpperCase(Locale.ROOT)
            + language.substring(1).toLowerCase(Locale.ROOT);
    if (name.equals("Porter")) {
      return part(Stemmers.snowball("Porter"));
    }
    Stemmers.of(name.equals("German2") ? "German" : name);
    return part(Stemmers.snowball(name.equals("German2") ? "German" : name));
  }

  private static Part length(Parameters parameters) {
    int least = parameters.number("min", 0);
    int most = parameters.number("max", Integer.MAX_VALUE);
    return part(tokens -> new LengthFilter(tokens, least, most));
  }

  private static Part truncate(Parameters parameters) {
    int length = parameters.number("length", 10);
    if (length <= 0) {
      throw Refusal.badArgument("length parameter must be provided");
    }
    return part(tokens -> TruncateTokenFilter.truncateAfterChars(tokens, length));
  }

  private static Part unique(Parameters parameters) {
    return part(
        parameters.flag("only_on_same_position", false)
            ? RemoveDuplicatesTokenFilter::new
            : UniqueFilter::new);
  }

  private static Part shingle(Parameters parameters) {
    int least = parameters.number("min_shingle_size", 2);
    int most = parameters.number("max_shingle_size", 2);
    boolean hasUnigrams = parameters.flag("output_unigrams", true);
    boolean hasUnigramsWhenAlone = parameters.flag("output_unigrams_if_no_shingles", false);
    int differenceMax = parameters.indexNumber("index.max_shingle_diff", 3);
    int difference = most - least + (hasUnigrams ? 1 : 0);
    if (difference > differenceMax) {
      throw Refusal.badArgument(
          "In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and"
              + " +1 if outputting unigrams) must be less than or equal to: ["
              + differenceMax
              + "] but was ["
              + difference
              + "]. This limit can be set by changing the [index.max_shingle_diff] index level"
              + " setting.");
    }
    String separator = parameters.text("token_separator", ShingleFilter.DEFAULT_TOKEN_SEPARATOR);
    String filler = parameters.text("filler_token", ShingleFilter.DEFAULT_FILLER_TOKEN);
    return part(tokens -> {
      ShingleFilter filter = new ShingleFilter(tokens, least, most);
      filter.setOutputUnigrams(hasUnigrams);
      filter.setOutputUnigramsIfNoShingles(hasUnigramsWhenAlone);
      filter.setTokenSeparator(separator);
      filter.setFillerToken(filler);
      return filter;
    });
  }

  private static Part ngram(Parameters parameters) {
    int least = parameters.number("min_gram", 1);
    int most = parameters.number("max_gram", 2);
    Ngrams.keepLimit(parameters, "NGram TokenFilter", least, most);
    boolean keepsOriginal = parameters.flag("preserve_original", false);
    return part(tokens -> new NGramTokenFilter(tokens, least, most, keepsOriginal));
  }

  private static Part edgeNgram(Parameters parameters) {
    int least = parameters.number("min_gram", 1);
    int most = parameters.number("max_gram", 2);
    boolean keepsOriginal = parameters.flag("preserve_original", false);
    boolean isBack = parameters.text("side", "front").equals("back");
    return part(
        isBack
            ? tokens ->
                new ReverseStringFilter(
                    new EdgeNGramTokenFilter(
                        new ReverseStringFilter(tokens), least, most, keepsOriginal))
            : tokens -> new EdgeNGramTokenFilter(tokens, least, most, keepsOriginal));
  }

  @SuppressWarnings("deprecation") // Elasticsearch still offers it beside the graph filter
  private static Part synonym(SynonymMap synonyms) {
    return part(
        tokens -> synonyms.fst == null ? tokens : new SynonymFilter(tokens, synonyms, false));
  }

  private static Part synonymGraph(SynonymMap synonyms) {
    return part(
        tokens -> synonyms.fst == null ? tokens : new SynonymGraphFilter(tokens, synonyms, false));
  }

  private static Part elision(Parameters parameters) {
    CharArraySet articles =
        parameters.has("articles")
            ? parameters.words("articles", parameters.flag("articles_case", false))
            : FrenchAnalyzer.DEFAULT_ARTICLES;
    return new Part(true, tokens -> new ElisionFilter(tokens, articles));
  }

  private static Part cjkBigram(Parameters parameters) {
    int scripts = CJKBigramFilter.HAN | CJKBigramFilter.HIRAGANA;
    scripts |= CJKBigramFilter.KATAKANA | CJKBigramFilter.HANGUL;
    for (String ignored : parameters.list("ignored_scripts")) {
      scripts &=
          ~switch (ignored) {
            case "han" -> CJKBigramFilter.HAN;
            case "hiragana" -> CJKBigramFilter.HIRAGANA;
            case "katakana" -> CJKBigramFilter.KATAKANA;
            case "hangul" -> CJKBigramFilter.HANGUL;
            default -> 0;
          };
    }
    int kept = scripts;
    boolean hasUnigrams = parameters.flag("output_unigrams", false);
    return part(tokens -> new CJKBigramFilter(tokens, kept, hasUnigrams));
  }

  private static Part commonGrams(Parameters parameters) {
    CharArraySet words = parameters.words("common_words", parameters.flag("ignore_case", false));
    if (words.isEmpty()) {
      throw Refusal.badArgument(
          "missing or empty [common_words] or [common_words_path] configuration for common_grams"
              + " token filter");
    }
    boolean isQuery = parameters.flag("query_mode", false);
    return part(tokens -> {
      CommonGramsFilter grams = new CommonGramsFilter(tokens, words);
      return isQuery ? new CommonGramsQueryFilter(grams) : grams;
    });
  }

  private static Part keywordMarker(Parameters parameters) {
    if (parameters.has("keywords_pattern")) {
      Pattern pattern = parameters.pattern("keywords_pattern", null);
      return part(tokens -> new PatternKeywordMarkerFilter(tokens, pattern));
    }
    CharArraySet words = parameters.words("keywords", parameters.flag("ignore_case", false));
    if (words.isEmpty()) {
      throw Refusal.badArgument(
          "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be"
              + " configured");
    }
    return part(tokens -> new SetKeywordMarkerFilter(tokens, words));
  }

  private static Part keep(Parameters parameters) {
    if (!parameters.has("keep_words")) {
      throw Refusal.badArgument(
          "keep requires either `keep_words` or `keep_words_path` to be configured");
    }
    CharArraySet words = parameters.words("keep_words", parameters.flag("keep_words_case", false));
    return part(tokens -> new KeepWordFilter(tokens, words));
  }

  private static Part keepTypes(Parameters parameters) {
    Set<String> types = new LinkedHashSet<>(parameters.list("types"));
    boolean isIncluding = parameters.text("mode", "include").equals("include");
    return part(tokens -> new TypeTokenFilter(tokens, types, isIncluding));
  }

  private static Part limit(Parameters parameters) {
    int most = parameters.number("max_token_count", 1);
    boolean consumesAll = parameters.flag("consume_all_tokens", false);
    return part(tokens -> new LimitTokenCountFilter(tokens, most, consumesAll));
  }

  private static Part minHash(Parameters parameters) {
    int hashes = parameters.number("hash_count", 1);
    int buckets = parameters.number("bucket_count", 512);
    int setSize = parameters.number("hash_set_size", 1);
    boolean rotates = parameters.flag("with_rotation", buckets > 1);
    return part(tokens -> new MinHashFilter(tokens, hashes, buckets, setSize, rotates));
  }

  private static Part patternReplace(Parameters parameters) {
    Pattern pattern = parameters.pattern("pattern", null);
    String replacement = parameters.text("replacement", "");
    boolean isAll = parameters.flag("all", true);
    return new Part(true, tokens -> new PatternReplaceFilter(tokens, pattern, replacement, isAll));
  }

  private static Part patternCapture(Parameters parameters) {
    Pattern[] patterns =
        parameters.rules("patterns").stream().map(Pattern::compile).toArray(Pattern[]::new);
    boolean keepsOriginal = parameters.flag("preserve_original", true);
    return part(tokens -> new PatternCaptureGroupTokenFilter(tokens, keepsOriginal, patterns));
  }

  private static Part fingerprint(Parameters parameters) {
    char separator = parameters.text("separator", " ").charAt(0);
    int sizeMax = parameters.number("max_output_size", 255);
    return part(tokens -> new FingerprintFilter(tokens, sizeMax, separator));
  }
}
