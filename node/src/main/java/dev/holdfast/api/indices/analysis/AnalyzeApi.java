package dev.holdfast.api.indices.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.synonyms.SynonymMappings;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.analysis.Analysis;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_analyze`, `/{index}/_analyze`: the tokens that an analyser makes of some texts.
public final class AnalyzeApi implements Api {
  private static final String TOKENS_MAX = "10000";

  private final Metadata metadata;
  private final MappingFactory mappings;

  public AnalyzeApi(Metadata metadata, MappingFactory mappings) {
    this.metadata = metadata;
    this.mappings = mappings;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException {
    ObjectNode given = request.body().object();
    String name = request.text("index", given.path("index").asText());
    given.remove("index");
    AnalysisRequest asked = AnalysisRequest.read(JsonObject.ofKinds("analyze_request", given));
    IndexMetadata index = name.isEmpty() ? null : SingleIndex.of(metadata.current(), name, false);
    if (index != null) {
      IndexBlocks.requireReadable(index);
    }
    SortedMap<String, Object> settings =
        index == null ? new TreeMap<>() : SynonymMappings.withRules(metadata, index.settings());
    Object limit = settings.getOrDefault("index.analyze.max_token_count", TOKENS_MAX);
    AnalyzedTokens tokens = new AnalyzedTokens(asked.texts(), Integer.parseInt(limit.toString()));
    ObjectNode answer = Json.object();
    if (asked.hasParts()) {
      parts(asked, settings, tokens, answer);
    } else {
      whole(asked, index, settings, tokens, answer);
    }
    List<String> unread = asked.unread(settings);
    return unread.isEmpty()
        ? Answer.of(200, answer)
        : Answer.of(200, answer)
            .warn("settings " + unread + " have no effect: nothing of that type reads them");
  }

  /// An analyser that has a name; of one that the index made of parts these are explained.
  private void whole(
      AnalysisRequest asked,
      @Nullable IndexMetadata index,
      SortedMap<String, Object> settings,
      AnalyzedTokens tokens,
      ObjectNode answer)
      throws IOException {
    Analyzer analyzer = named(asked, index, settings);
    MappedField field =
        index == null || asked.field() == null || asked.isNamed()
            ? null
            : mappings.create(index.mapping(), settings).field(asked.field());
    JsonNode mapping = field == null ? Json.object() : field.type().toJson();
    int gap = mapping.path("position_increment_gap").asInt(analyzer.getPositionIncrementGap(""));
    if (!asked.isExplained()) {
      answer.set("tokens", tokens.of(analyzer, gap));
      return;
    }
    AnalysisRequest made = asked.madeOf(settings, mapping);
    if (made != null) {
      parts(made, settings, tokens, answer);
      return;
    }
    ObjectNode detail = answer.putObject("detail").put("custom_analyzer", false);
    String label = asked.analyzer() == null ? "default" : asked.analyzer();
    stage(detail.putObject("analyzer"), label, tokens.explained(analyzer, asked.attributes(), gap));
  }

  private static void parts(
      AnalysisRequest asked,
      SortedMap<String, Object> settings,
      AnalyzedTokens tokens,
      ObjectNode answer)
      throws IOException {
    List<Analyzer> stages = asked.stages(settings);
    if (!asked.isExplained()) {
      answer.set("tokens", tokens.of(stages.getLast()));
      return;
    }
    ObjectNode detail = answer.putObject("detail").put("custom_analyzer", true);
    ArrayNode shown = detail.putArray("charfilters");
    if (!asked.charFilters().isEmpty()) {
      List<List<String>> texts = asked.charFiltered(settings);
      for (int i = 0; i < texts.size(); i++) {
        ObjectNode filter = shown.addObject();
        filter.put("name", AnalysisRequest.nameOf(asked.charFilters().get(i)));
        texts.get(i).forEach(filter.putArray("filtered_text")::add);
      }
    }
    String tokenizer =
        asked.tokenizer() == null ? "keyword" : AnalysisRequest.nameOf(asked.tokenizer());
    stage(
        detail.putObject("tokenizer"),
        tokenizer,
        tokens.explainedPart(stages.getFirst(), asked.attributes()));
    ArrayNode filters = detail.putArray("tokenfilters");
    for (int i = 0; i < asked.filters().size(); i++) {
      String name = AnalysisRequest.nameOf(asked.filters().get(i));
      stage(filters.addObject(), name, tokens.explainedPart(stages.get(i + 1), asked.attributes()));
    }
  }

  private static void stage(ObjectNode to, String name, ArrayNode tokens) {
    to.put("name", name).set("tokens", tokens);
  }

  private Analyzer named(
      AnalysisRequest asked, @Nullable IndexMetadata index, SortedMap<String, Object> settings) {
    Analysis analysis = Analysis.of(settings);
    if (asked.analyzer() != null) {
      return found(analysis.analyzer(asked.analyzer()), "analyzer", asked.analyzer(), index);
    }
    if (asked.normalizer() != null && index == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: index is required if normalizer is specified;");
    }
    if (asked.normalizer() != null) {
      return found(
          analysis.normalizer(asked.normalizer()), "normalizer", asked.normalizer(), index);
    }
    if (asked.field() == null) {
      return analysis.defaultAnalyzer();
    }
    if (index == null) {
      throw Refusal.badArgument(
          "No such index, and analysis based on a specific field requires an index");
    }
    MappedField field = mappings.create(index.mapping(), settings).field(asked.field());
    if (field == null) {
      return analysis.defaultAnalyzer();
    }
    Analyzer normalizer = analysis.normalizer(field.type().toJson().path("normalizer").asText(""));
    return normalizer == null ? ofField(asked.field(), field.type()) : normalizer;
  }

  private static Analyzer ofField(String field, FieldType type) {
    Analyzer analyzer = type.indexAnalyzer();
    if (analyzer != null) {
      return analyzer;
    }
    if (!type.hasTerms()) {
      throw Refusal.badArgument(
          "Can't process field ["
              + field
              + "], Analysis requests are only supported on"
              + " tokenized fields");
    }
    return new KeywordAnalyzer();
  }

  private static Analyzer found(
      @Nullable Analyzer analyzer, String kind, String name, @Nullable IndexMetadata index) {
    if (analyzer == null) {
      throw Refusal.badArgument(
          "failed to find " + (index == null ? "global " : "") + kind + " [" + name + "]");
    }
    return analyzer;
  }
}
