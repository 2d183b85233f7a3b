package dev.holdfast.document.field.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.FieldParameters.Change;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.field.UnqueryableField;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.search.suggest.document.Completion104PostingsFormat;
import org.apache.lucene.search.suggest.document.CompletionAnalyzer;

/// `completion`: inputs that are found by their beginnings, best weight first.
public final class CompletionType implements UnqueryableField {
  private static final int INPUT_LENGTH = 50;
  private static final int CONTEXTS_MAX = 10;

  private final FieldParameters parameters;
  private final CompletionAnalyzer analyzer;
  private final CompletionAnalyzer searchAnalyzer;
  private final List<SuggestionContext> contexts;
  private final int inputLengthMax;

  public CompletionType(FieldParameters parameters, FieldContext context) {
    this.parameters = parameters;
    String name = parameters.shownString("analyzer", "simple");
    String searchName = parameters.string("search_analyzer", name, Change.ALLOWED);
    boolean keepsSeparators = parameters.shownBool("preserve_separators", true);
    boolean keepsIncrements = parameters.shownBool("preserve_position_increments", true);
    inputLengthMax = parameters.integer("max_input_length", INPUT_LENGTH, Change.ALLOWED);
    if (inputLengthMax <= 0) {
      throw FieldParameters.mapperParsing(
          "[max_input_length] must be > 0 but was [" + inputLengthMax + "]");
    }
    parameters.show(
        "max_input_length", com.fasterxml.jackson.databind.node.IntNode.valueOf(inputLengthMax));
    JsonNode json = parameters.any("contexts", Change.FIXED);
    parameters.done();
    contexts = SuggestionContext.read(json);
    if (contexts.size() > CONTEXTS_MAX) {
      throw FieldParameters.mapperParsing(
          "Limit of completion field contexts [" + CONTEXTS_MAX + "] has been exceeded");
    }
    analyzer = completing(context.analyzer(name), keepsSeparators, keepsIncrements);
    searchAnalyzer = completing(context.analyzer(searchName), keepsSeparators, keepsIncrements);
  }

  private static CompletionAnalyzer completing(
      Analyzer analyzer, boolean keepsSeparators, boolean keepsIncrements) {
    return new CompletionAnalyzer(analyzer, keepsSeparators, keepsIncrements);
  }

  @Override
  public FieldParameters parameters() {
    return parameters;
  }

  @Override
  public boolean readsObjects() {
    return true;
  }

  @Override
  public boolean readsArrays() {
    return true;
  }

  @Override
  public FieldColumns newColumns(String field) {
    return new CompletionColumns(field, analyzer, contexts, inputLengthMax);
  }

  @Override
  public Completion completion() {
    return new Completion(
        searchAnalyzer,
        contexts.stream()
            .map(each -> new Context(each.name(), each.precision(), each.path()))
            .toList());
  }

  @Override
  public PostingsFormat postingsFormat() {
    return new Completion104PostingsFormat();
  }

  @Override
  public Refusal noMatch(String field) {
    return QueryFaults.noQuery("[completion] field [" + field + "] is searched by suggesters");
  }
}
