package dev.holdfast.document.analysis;

import dev.holdfast.document.analysis.pattern.PatternCaptures;
import dev.holdfast.document.analysis.pattern.PatternKeywords;
import dev.holdfast.document.analysis.pattern.PatternReplacing;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bn.BengaliNormalizationFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.ckb.SoraniNormalizationFilter;
import org.apache.lucene.analysis.classic.ClassicFilter;
import org.apache.lucene.analysis.compound.DictionaryCompoundWordTokenFilter;
import org.apache.lucene.analysis.core.DecimalDigitFilter;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
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
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.KeywordRepeatFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianNormalizationFilter;
import org.apache.lucene.analysis.miscellaneous.SetKeywordMarkerFilter;
import org.apache.lucene.analysis.miscellaneous.TrimFilter;
import org.apache.lucene.analysis.miscellaneous.TruncateTokenFilter;
import org.apache.lucene.analysis.payloads.DelimitedPayloadTokenFilter;
import org.apache.lucene.analysis.payloads.FloatEncoder;
import org.apache.lucene.analysis.payloads.IdentityEncoder;
import org.apache.lucene.analysis.payloads.IntegerEncoder;
import org.apache.lucene.analysis.payloads.PayloadEncoder;
import org.apache.lucene.analysis.reverse.ReverseStringFilter;
import org.apache.lucene.analysis.sr.SerbianNormalizationFilter;
import org.apache.lucene.analysis.synonym.SynonymFilter;
import org.apache.lucene.analysis.synonym.SynonymGraphFilter;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.apache.lucene.analysis.te.TeluguNormalizationFilter;
import org.apache.lucene.analysis.tr.ApostropheFilter;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.analysis.util.ElisionFilter;
import org.jspecify.annotations.Nullable;

/// Every kind of token filter.
final class TokenFilters {
  /// The longest part of a compound: parts of all lengths are looked for at each place of a word,
  /// which nobody can end.
  private static final int SUBWORD_MAX = 100;

  static final Registry<Kind> ALL =
      Registry.<Kind>of("filter")
          .with("lowercase", plain(TokenFilters::lowercase))
          .with("uppercase", normalizing(UpperCaseFilter::new))
          .with("asciifolding", plain(TokenFilters::asciiFolding))
          .with("stop", plain(ChoosingFilters::stop))
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
          .with("length", plain(ChoosingFilters::length))
          .with("truncate", plain(TokenFilters::truncate))
          .with("trim", normalizing(TrimFilter::new))
          .with("reverse", simple(ReverseStringFilter::new))
          .with("unique", plain(ChoosingFilters::unique))
          .with("shingle", plain(GramFilters::shingle))
          .with("ngram", plain(GramFilters::ngram))
          .with("nGram", plain(GramFilters::ngram))
          .with("edge_ngram", plain(GramFilters::edgeNgram))
          .with("edgeNGram", plain(GramFilters::edgeNgram))
          .with("word_delimiter", plain(WordDelimiters::plain))
          .with("word_delimiter_graph", plain(WordDelimiters::graph))
          .with("synonym", (p, before) -> synonym(Synonyms.of(p, before)))
          .with("synonym_graph", (p, before) -> synonymGraph(Synonyms.of(p, before)))
          .with("flatten_graph", simple(FlattenGraphFilter::new))
          .with("delimited_payload", plain(TokenFilters::delimitedPayload))
          .with("dictionary_decompounder", plain(TokenFilters::decompounder))
          .with("multiplexer", new Multiplexer())
          .with("condition", new ScriptedFilters())
          .with("predicate_token_filter", plain(ScriptedFilters::predicate))
          .with("elision", plain(TokenFilters::elision))
          .with("apostrophe", simple(ApostropheFilter::new))
          .with("classic", simple(ClassicFilter::new))
          .with("cjk_width", normalizing(CJKWidthFilter::new))
          .with("cjk_bigram", plain(GramFilters::cjkBigram))
          .with("common_grams", plain(GramFilters::commonGrams))
          .with("decimal_digit", normalizing(DecimalDigitFilter::new))
          .with("keyword_marker", plain(TokenFilters::keywordMarker))
          .with("keyword_repeat", simple(KeywordRepeatFilter::new))
          .with("keep", plain(ChoosingFilters::keep))
          .with("keep_types", plain(ChoosingFilters::keepTypes))
          .with("limit", plain(ChoosingFilters::limit))
          .with("min_hash", plain(ChoosingFilters::minHash))
          .with("pattern_replace", plain(TokenFilters::patternReplace))
          .with("pattern_capture", plain(TokenFilters::patternCapture))
          .with("fingerprint", plain(ChoosingFilters::fingerprint))
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
    Part make(AnalysisParameters parameters, Analyzer before);

    /// The same for filters that are made of other filters.
    ///
    /// @param others makes the filter of that name; null when there is none
    default Part make(
        AnalysisParameters parameters, Analyzer before, Function<String, @Nullable Part> others) {
      return make(parameters, before);
    }
  }

  /// A filter ready to be applied; normalising ones change characters and may be used by
  /// normalisers too.
  record Part(boolean isNormalizing, UnaryOperator<TokenStream> filter) {}

  private static Kind plain(Function<AnalysisParameters, Part> maker) {
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

  private static String language(AnalysisParameters parameters) {
    return parameters.text("language", parameters.text("name", "porter"));
  }

  private static Part lowercase(AnalysisParameters parameters) {
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

  private static Part asciiFolding(AnalysisParameters parameters) {
    boolean keepsOriginal = parameters.flag("preserve_original", false);
    return new Part(true, tokens -> new ASCIIFoldingFilter(tokens, keepsOriginal));
  }

  private static Part snowball(AnalysisParameters parameters) {
    String language = parameters.text("language", parameters.text("name", "English"));
    if (language.isEmpty()) {
      throw Refusal.badArgument("Invalid stemmer class specified: " + language);
    }
    String name =
        language.substring(0, 1).toUpperCase(Locale.ROOT)
            + language.substring(1).toLowerCase(Locale.ROOT);
    if (name.equals("Porter")) {
      return part(Stemmers.snowball("Porter"));
    }
    Stemmers.of(name.equals("German2") ? "German" : name);
    return part(Stemmers.snowball(name.equals("German2") ? "German" : name));
  }

  private static Part truncate(AnalysisParameters parameters) {
    int length = parameters.number("length", 10);
    if (length <= 0) {
      throw Refusal.badArgument("length parameter must be provided");
    }
    return part(tokens -> TruncateTokenFilter.truncateAfterChars(tokens, length));
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

  private static Part delimitedPayload(AnalysisParameters parameters) {
    String delimiter = parameters.text("delimiter", "|");
    if (delimiter.length() != 1) {
      throw Refusal.badArgument("delimiter must be a one char value");
    }
    PayloadEncoder encoder =
        switch (parameters.text("encoding", "float")) {
          case "float" -> new FloatEncoder();
          case "int" -> new IntegerEncoder();
          case "identity" -> new IdentityEncoder();
          default -> throw Refusal.badArgument("encoding must be one of [float, int, identity]");
        };
    char sign = delimiter.charAt(0);
    return part(tokens -> new DelimitedPayloadTokenFilter(tokens, sign, encoder));
  }

  private static Part decompounder(AnalysisParameters parameters) {
    CharArraySet words = parameters.words("word_list", false);
    if (words.isEmpty()) {
      throw Refusal.badArgument("word_list must be provided for [" + parameters.name() + "]");
    }
    int wordMin = parameters.number("min_word_size", 5);
    int partMin = parameters.number("min_subword_size", 2);
    int partMax = parameters.number("max_subword_size", 15);
    if (partMax > SUBWORD_MAX) {
      throw Refusal.badArgument(
          "[max_subword_size] must be less than or equal to: ["
              + SUBWORD_MAX
              + "] but was ["
              + partMax
              + "]");
    }
    boolean isLongest = parameters.flag("only_longest_match", false);
    return part(tokens ->
        new DictionaryCompoundWordTokenFilter(tokens, words, wordMin, partMin, partMax, isLongest));
  }

  private static Part elision(AnalysisParameters parameters) {
    // The built-in one knows French articles; one that an index defines must say its own.
    if (parameters.has("type") && !parameters.has("articles")) {
      throw Refusal.badArgument("elision filter requires [articles] or [articles_path] setting");
    }
    CharArraySet articles =
        parameters.has("articles")
            ? parameters.words("articles", parameters.flag("articles_case", false))
            : FrenchAnalyzer.DEFAULT_ARTICLES;
    return new Part(true, tokens -> new ElisionFilter(tokens, articles));
  }

  private static Part keywordMarker(AnalysisParameters parameters) {
    if (parameters.has("keywords_pattern")) {
      Pattern pattern = parameters.pattern("keywords_pattern", null);
      return part(tokens -> new PatternKeywords(tokens, pattern));
    }
    CharArraySet words = parameters.words("keywords", parameters.flag("ignore_case", false));
    if (words.isEmpty()) {
      throw Refusal.badArgument(
          "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be"
              + " configured");
    }
    return part(tokens -> new SetKeywordMarkerFilter(tokens, words));
  }

  private static Part patternReplace(AnalysisParameters parameters) {
    Pattern pattern = parameters.pattern("pattern", null);
    String replacement = parameters.text("replacement", "");
    boolean isAll = parameters.flag("all", true);
    return new Part(true, tokens -> new PatternReplacing(tokens, pattern, replacement, isAll));
  }

  private static Part patternCapture(AnalysisParameters parameters) {
    List<Pattern> patterns =
        parameters.rules("patterns").stream().map(parameters::compiled).toList();
    boolean keepsOriginal = parameters.flag("preserve_original", true);
    return part(tokens -> new PatternCaptures(tokens, patterns, keepsOriginal));
  }
}
