package dev.holdfast.document.analysis;

import dev.holdfast.world.Registry;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.bn.BengaliAnalyzer;
import org.apache.lucene.analysis.br.BrazilianAnalyzer;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.ckb.SoraniAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.gl.GalicianAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.ne.NepaliAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sr.SerbianAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.ta.TamilAnalyzer;
import org.apache.lucene.analysis.te.TeluguAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;

/// Every language with an analyser of its own, and its stop words.
final class Languages {
  static final Registry<Language> ALL =
      Registry.<Language>of("language")
          .with("arabic", language(ArabicAnalyzer::new, ArabicAnalyzer::getDefaultStopSet))
          .with("armenian", language(ArmenianAnalyzer::new, ArmenianAnalyzer::getDefaultStopSet))
          .with("basque", language(BasqueAnalyzer::new, BasqueAnalyzer::getDefaultStopSet))
          .with("bengali", language(BengaliAnalyzer::new, BengaliAnalyzer::getDefaultStopSet))
          .with("brazilian", language(BrazilianAnalyzer::new, BrazilianAnalyzer::getDefaultStopSet))
          .with("bulgarian", language(BulgarianAnalyzer::new, BulgarianAnalyzer::getDefaultStopSet))
          .with("catalan", language(CatalanAnalyzer::new, CatalanAnalyzer::getDefaultStopSet))
          .with("cjk", language((stop, _) -> new CJKAnalyzer(stop), CJKAnalyzer::getDefaultStopSet))
          .with("czech", language(CzechAnalyzer::new, CzechAnalyzer::getDefaultStopSet))
          .with("danish", language(DanishAnalyzer::new, DanishAnalyzer::getDefaultStopSet))
          .with("dutch", language(DutchAnalyzer::new, DutchAnalyzer::getDefaultStopSet))
          .with("english", language(EnglishAnalyzer::new, EnglishAnalyzer::getDefaultStopSet))
          .with("estonian", language(EstonianAnalyzer::new, EstonianAnalyzer::getDefaultStopSet))
          .with("finnish", language(FinnishAnalyzer::new, FinnishAnalyzer::getDefaultStopSet))
          .with("french", language(FrenchAnalyzer::new, FrenchAnalyzer::getDefaultStopSet))
          .with("galician", language(GalicianAnalyzer::new, GalicianAnalyzer::getDefaultStopSet))
          .with("german", language(GermanAnalyzer::new, GermanAnalyzer::getDefaultStopSet))
          .with(
              "greek",
              language((stop, _) -> new GreekAnalyzer(stop), GreekAnalyzer::getDefaultStopSet))
          .with("hindi", language(HindiAnalyzer::new, HindiAnalyzer::getDefaultStopSet))
          .with("hungarian", language(HungarianAnalyzer::new, HungarianAnalyzer::getDefaultStopSet))
          .with(
              "indonesian",
              language(IndonesianAnalyzer::new, IndonesianAnalyzer::getDefaultStopSet))
          .with("irish", language(IrishAnalyzer::new, IrishAnalyzer::getDefaultStopSet))
          .with("italian", language(ItalianAnalyzer::new, ItalianAnalyzer::getDefaultStopSet))
          .with("latvian", language(LatvianAnalyzer::new, LatvianAnalyzer::getDefaultStopSet))
          .with(
              "lithuanian",
              language(LithuanianAnalyzer::new, LithuanianAnalyzer::getDefaultStopSet))
          .with("nepali", language(NepaliAnalyzer::new, NepaliAnalyzer::getDefaultStopSet))
          .with("norwegian", language(NorwegianAnalyzer::new, NorwegianAnalyzer::getDefaultStopSet))
          .with("persian", language(PersianAnalyzer::new, PersianAnalyzer::getDefaultStopSet))
          .with(
              "portuguese",
              language(PortugueseAnalyzer::new, PortugueseAnalyzer::getDefaultStopSet))
          .with("romanian", language(RomanianAnalyzer::new, RomanianAnalyzer::getDefaultStopSet))
          .with("russian", language(RussianAnalyzer::new, RussianAnalyzer::getDefaultStopSet))
          .with("serbian", language(SerbianAnalyzer::new, SerbianAnalyzer::getDefaultStopSet))
          .with("sorani", language(SoraniAnalyzer::new, SoraniAnalyzer::getDefaultStopSet))
          .with("spanish", language(SpanishAnalyzer::new, SpanishAnalyzer::getDefaultStopSet))
          .with("swedish", language(SwedishAnalyzer::new, SwedishAnalyzer::getDefaultStopSet))
          .with("tamil", language(TamilAnalyzer::new, TamilAnalyzer::getDefaultStopSet))
          .with("telugu", language(TeluguAnalyzer::new, TeluguAnalyzer::getDefaultStopSet))
          .with(
              "thai",
              language((stop, _) -> new ThaiAnalyzer(stop), ThaiAnalyzer::getDefaultStopSet))
          .with("turkish", language(TurkishAnalyzer::new, TurkishAnalyzer::getDefaultStopSet));

  private Languages() {}

  private static Language language(Maker maker, Supplier<CharArraySet> stopWords) {
    return new Language(maker, stopWords);
  }

  /// Makes a language's analyser of its stop words and the words not to stem.
  interface Maker {
    Analyzer make(CharArraySet stopWords, CharArraySet stemExclusions);
  }

  /// A language.
  record Language(Maker maker, Supplier<CharArraySet> stopWords) {
    Analyzer analyzer(AnalysisParameters parameters) {
      parameters.requireNoFile("stem_exclusion_path");
      return maker.make(
          StopWords.of(parameters, stopWords.get()), parameters.words("stem_exclusion", false));
    }
  }
}
