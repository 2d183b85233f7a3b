package dev.holdfast.document.analysis;

import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bg.BulgarianStemFilter;
import org.apache.lucene.analysis.bn.BengaliStemFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.ckb.SoraniStemFilter;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.de.GermanMinimalStemFilter;
import org.apache.lucene.analysis.el.GreekStemFilter;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.es.SpanishPluralStemFilter;
import org.apache.lucene.analysis.fa.PersianStemFilter;
import org.apache.lucene.analysis.fi.FinnishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchMinimalStemFilter;
import org.apache.lucene.analysis.gl.GalicianMinimalStemFilter;
import org.apache.lucene.analysis.gl.GalicianStemFilter;
import org.apache.lucene.analysis.hi.HindiStemFilter;
import org.apache.lucene.analysis.hu.HungarianLightStemFilter;
import org.apache.lucene.analysis.id.IndonesianStemFilter;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.lv.LatvianStemFilter;
import org.apache.lucene.analysis.no.NorwegianLightStemFilter;
import org.apache.lucene.analysis.no.NorwegianMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.apache.lucene.analysis.pt.PortugueseMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseStemFilter;
import org.apache.lucene.analysis.ru.RussianLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.sv.SwedishLightStemFilter;
import org.apache.lucene.analysis.sv.SwedishMinimalStemFilter;
import org.apache.lucene.analysis.te.TeluguStemFilter;

/// Every stemmer by the name that the `stemmer` filter takes.
final class Stemmers {
  /// Lucene's flag for Nynorsk, which it keeps to itself.
  private static final int NYNORSK = 2;

  private static final Registry<UnaryOperator<TokenStream>> ALL =
      Registry.<UnaryOperator<TokenStream>>of("stemmer")
          .with("arabic", ArabicStemFilter::new)
          .with("armenian", snowball("Armenian"))
          .with("basque", snowball("Basque"))
          .with("bengali", BengaliStemFilter::new)
          .with("brazilian", BrazilianStemFilter::new)
          .with("bulgarian", BulgarianStemFilter::new)
          .with("catalan", snowball("Catalan"))
          .with("czech", CzechStemFilter::new)
          .with("danish", snowball("Danish"))
          .with("dutch", snowball("Dutch"))
          .with("english", PorterStemFilter::new)
          .with("porter", PorterStemFilter::new)
          .with("porter2", snowball("English"))
          .with("light_english", KStemFilter::new)
          .with("kstem", KStemFilter::new)
          .with("minimal_english", EnglishMinimalStemFilter::new)
          .with("possessive_english", EnglishPossessiveFilter::new)
          .with("estonian", snowball("Estonian"))
          .with("finnish", snowball("Finnish"))
          .with("light_finnish", FinnishLightStemFilter::new)
          .with("light_finish", FinnishLightStemFilter::new)
          .with("french", snowball("French"))
          .with("light_french", FrenchLightStemFilter::new)
          .with("minimal_french", FrenchMinimalStemFilter::new)
          .with("galician", GalicianStemFilter::new)
          .with("minimal_galician", GalicianMinimalStemFilter::new)
          .with("german", snowball("German"))
          .with("german2", snowball("German"))
          .with("light_german", GermanLightStemFilter::new)
          .with("minimal_german", GermanMinimalStemFilter::new)
          .with("greek", GreekStemFilter::new)
          .with("hindi", HindiStemFilter::new)
          .with("hungarian", snowball("Hungarian"))
          .with("light_hungarian", HungarianLightStemFilter::new)
          .with("indonesian", IndonesianStemFilter::new)
          .with("irish", snowball("Irish"))
          .with("italian", snowball("Italian"))
          .with("light_italian", ItalianLightStemFilter::new)
          .with("latvian", LatvianStemFilter::new)
          .with("lithuanian", snowball("Lithuanian"))
          .with("nepali", snowball("Nepali"))
          .with("norwegian", snowball("Norwegian"))
          .with("light_norwegian", NorwegianLightStemFilter::new)
          .with("minimal_norwegian", NorwegianMinimalStemFilter::new)
          .with("light_nynorsk", tokens -> new NorwegianLightStemFilter(tokens, NYNORSK))
          .with("minimal_nynorsk", tokens -> new NorwegianMinimalStemFilter(tokens, NYNORSK))
          .with("persian", PersianStemFilter::new)
          .with("portuguese", snowball("Portuguese"))
          .with("light_portuguese", PortugueseLightStemFilter::new)
          .with("minimal_portuguese", PortugueseMinimalStemFilter::new)
          .with("portuguese_rslp", PortugueseStemFilter::new)
          .with("romanian", snowball("Romanian"))
          .with("russian", snowball("Russian"))
          .with("light_russian", RussianLightStemFilter::new)
          .with("serbian", snowball("Serbian"))
          .with("sorani", SoraniStemFilter::new)
          .with("spanish", snowball("Spanish"))
          .with("light_spanish", SpanishLightStemFilter::new)
          .with("spanish_plural", SpanishPluralStemFilter::new)
          .with("swedish", snowball("Swedish"))
          .with("light_swedish", SwedishLightStemFilter::new)
          .with("minimal_swedish", SwedishMinimalStemFilter::new)
          .with("tamil", snowball("Tamil"))
          .with("telugu", TeluguStemFilter::new)
          .with("turkish", snowball("Turkish"))
          .with("yiddish", snowball("Yiddish"));

  private Stemmers() {}

  /// @throws Refusal `illegal_argument_exception` for an unknown language
  static UnaryOperator<TokenStream> of(String language) {
    UnaryOperator<TokenStream> stemmer = ALL.get(language.toLowerCase(Locale.ROOT));
    if (stemmer == null) {
      throw Refusal.badArgument("Invalid stemmer class specified: " + language);
    }
    return stemmer;
  }

  /// A snowball stemmer; names begin with a capital letter.
  static UnaryOperator<TokenStream> snowball(String name) {
    return tokens -> new SnowballFilter(tokens, name);
  }
}
