package dev.holdfast.query.inspection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.source.SourceValues;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The terms of a document, made anew from its content: `{"source", "fields", "options"}` gives the
/// value of `term_vectors`.
public final class TermVectorsInspection {
  public static final String NAME = "term_vectors";

  /// A token as it is shown.
  private static final int TOKEN_BYTES = 512;

  private final QueryContext context;
  private final IndexReader reader;
  private final JsonNode source;
  private final ObjectNode options;

  private TermVectorsInspection(QueryContext context, JsonNode source, ObjectNode options) {
    this.context = context;
    this.reader = context.searcher().getIndexReader();
    this.source = source;
    this.options = options;
  }

  static ObjectNode answer(QueryContext context, ObjectNode body) throws IOException {
    ObjectNode options = body.get("options") instanceof ObjectNode given ? given : Json.object();
    return new TermVectorsInspection(context, body.path("source"), options)
        .fields(body.get("fields"));
  }

  /// A term with where it is.
  private static final class Found {
    private final ArrayNode tokens = Json.MAPPER.createArrayNode();
    private int frequency;
  }

  private ObjectNode fields(@Nullable JsonNode asked) throws IOException {
    Set<String> fields = new LinkedHashSet<>();
    if (asked == null) {
      for (MappedField field : context.mapping().fields()) {
        String vectors = field.type().toJson().path("term_vector").asText("no");
        if (!vectors.equals("no") || options.path("all").asBoolean(false)) {
          fields.add(field.path());
        }
      }
    } else {
      asked.forEach(one -> fields.addAll(context.mapping().matching(one.asText())));
    }
    ObjectNode answer = Json.object();
    for (String field : fields) {
      FieldType type = context.type(field);
      if (type == null || !(type.hasTerms() || type.indexAnalyzer() != null)) {
        continue;
      }
      Map<String, Found> terms = terms(field, type);
      if (!terms.isEmpty()) {
        write(answer.putObject(field), field, terms);
      }
    }
    return answer;
  }

  private boolean flag(String name, boolean whenAbsent) {
    return options.path(name).asBoolean(whenAbsent);
  }

  private Map<String, Found> terms(String field, FieldType type) throws IOException {
    Map<String, Found> terms = new TreeMap<>();
    int position = -1;
    int offset = 0;
    try (Analyzer keyword = new KeywordAnalyzer()) {
      Analyzer own = analyzer(field, type);
      Analyzer analyzer = own == null ? keyword : own;
      for (String given : SourceValues.textsOfField(context, source, field)) {
        String value = own == null ? type.normalize(given) : given;
        try (TokenStream tokens = analyzer.tokenStream(field, value)) {
          TermToBytesRefAttribute term = tokens.getAttribute(TermToBytesRefAttribute.class);
          OffsetAttribute offsets = tokens.addAttribute(OffsetAttribute.class);
          PositionIncrementAttribute step = tokens.addAttribute(PositionIncrementAttribute.class);
          PayloadAttribute payload = tokens.addAttribute(PayloadAttribute.class);
          tokens.reset();
          while (tokens.incrementToken()) {
            StopSignal.pollForCancelling();
            WorkMemory.add(TOKEN_BYTES);
            position += step.getPositionIncrement();
            Found found =
                terms.computeIfAbsent(term.getBytesRef().utf8ToString(), _ -> new Found());
            found.frequency++;
            ObjectNode token = found.tokens.addObject();
            if (flag("positions", true)) {
              token.put("position", position);
            }
            if (flag("offsets", true)) {
              token.put("start_offset", offset + offsets.startOffset());
              token.put("end_offset", offset + offsets.endOffset());
            }
            BytesRef bytes = payload.getPayload();
            if (bytes != null && flag("payloads", true)) {
              byte[] copy = BytesRef.deepCopyOf(bytes).bytes;
              token.put("payload", Base64.getEncoder().encodeToString(copy));
            }
          }
          tokens.end();
          offset += offsets.endOffset() + analyzer.getOffsetGap(field);
          position += step.getPositionIncrement() + analyzer.getPositionIncrementGap(field);
        }
      }
    }
    return terms;
  }

  private @Nullable Analyzer analyzer(String field, FieldType type) {
    JsonNode named = options.path("per_field_analyzer").get(field);
    if (named == null) {
      return type.indexAnalyzer();
    }
    Analyzer analyzer = context.mapping().analyzer(named.asText());
    if (analyzer == null) {
      throw Refusal.badArgument("No analyzer found for [" + named.asText() + "]");
    }
    return analyzer;
  }

  private void write(ObjectNode answer, String field, Map<String, Found> terms) throws IOException {
    Terms all = MultiTerms.getTerms(reader, field);
    if (flag("field_statistics", true) && all != null) {
      ObjectNode statistics = answer.putObject("field_statistics");
      statistics.put("sum_doc_freq", all.getSumDocFreq());
      statistics.put("doc_count", all.getDocCount());
      statistics.put("sum_ttf", all.getSumTotalTermFreq());
    }
    ObjectNode shown = answer.putObject("terms");
    Map<String, Double> scores = scores(field, terms);
    for (Map.Entry<String, Found> entry : terms.entrySet()) {
      if (scores != null && !scores.containsKey(entry.getKey())) {
        continue;
      }
      ObjectNode term = shown.putObject(entry.getKey());
      if (flag("term_statistics", false)) {
        Term asked = new Term(field, entry.getKey());
        int docFrequency = reader.docFreq(asked);
        if (docFrequency > 0) {
          term.put("doc_freq", docFrequency);
          term.put("ttf", reader.totalTermFreq(asked));
        }
      }
      term.put("term_freq", entry.getValue().frequency);
      ArrayNode tokens = entry.getValue().tokens;
      if (!tokens.isEmpty() && !tokens.get(0).isEmpty()) {
        term.set("tokens", tokens);
      }
      if (scores != null) {
        term.put("score", scores.getOrDefault(entry.getKey(), 0.0).floatValue());
      }
    }
  }

  /// The terms that pass `filter`; null without one.
  private @Nullable Map<String, Double> scores(String field, Map<String, Found> terms)
      throws IOException {
    JsonNode filter = options.get("filter");
    if (filter == null) {
      return null;
    }
    ClassicSimilarity similarity = new ClassicSimilarity();
    int documents = reader.getDocCount(field);
    List<Map.Entry<String, Double>> kept = new ArrayList<>();
    for (Map.Entry<String, Found> term : terms.entrySet()) {
      int frequency = term.getValue().frequency;
      int docFrequency = reader.docFreq(new Term(field, term.getKey()));
      int length = term.getKey().length();
      boolean passes =
          frequency >= filter.path("min_term_freq").asInt(1)
              && frequency <= filter.path("max_term_freq").asInt(Integer.MAX_VALUE)
              && docFrequency >= filter.path("min_doc_freq").asInt(1)
              && docFrequency <= filter.path("max_doc_freq").asInt(Integer.MAX_VALUE)
              && length >= filter.path("min_word_length").asInt(0)
              && (filter.path("max_word_length").asInt(0) == 0
                  || length <= filter.path("max_word_length").asInt());
      if (passes) {
        double score = frequency * similarity.idf(docFrequency, documents);
        kept.add(Map.entry(term.getKey(), score));
      }
    }
    kept.sort(Comparator.comparingDouble(entry -> -entry.getValue()));
    Map<String, Double> best = new TreeMap<>();
    kept.stream()
        .limit(termsMax(filter.path("max_num_terms")))
        .forEach(entry -> best.put(entry.getKey(), entry.getValue()));
    return best;
  }

  private static int termsMax(JsonNode asked) {
    int max = asked.asInt(25);
    if (max < 0 || asked.isBigInteger()) {
      throw Refusal.badArgument("[max_num_terms] is no number of terms: [" + asked + "]");
    }
    return max;
  }
}
