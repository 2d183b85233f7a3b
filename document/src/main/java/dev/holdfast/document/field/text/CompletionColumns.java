package dev.holdfast.document.field.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.SuggestionsColumn;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.search.suggest.document.CompletionAnalyzer;
import org.apache.lucene.search.suggest.document.ContextSuggestField;
import org.apache.lucene.search.suggest.document.SuggestField;
import org.jspecify.annotations.Nullable;

/// Columns of a `completion`: inputs with weights, each once for the whole of its contexts.
final class CompletionColumns implements FieldColumns {
  private static final char SEPARATOR = 0x1F;
  private static final char HOLE = 0x1E;

  private final String field;
  private final CompletionAnalyzer analyzer;
  private final List<SuggestionContext> contexts;
  private final int inputLengthMax;
  private final LongRows rows = new LongRows();
  private final List<SuggestField> suggestions = new ArrayList<>();
  private @Nullable DocumentSource document;

  /// Of the document, once a context is read from it; null before.
  private @Nullable JsonNode tree;

  CompletionColumns(
      String field,
      CompletionAnalyzer analyzer,
      List<SuggestionContext> contexts,
      int inputLengthMax) {
    this.field = field;
    this.analyzer = analyzer;
    this.contexts = contexts;
    this.inputLengthMax = inputLengthMax;
  }

  @Override
  public boolean readsDocument() {
    return contexts.stream().anyMatch(context -> context.path() != null);
  }

  @Override
  public void document(DocumentSource source) {
    document = source;
    tree = null;
  }

  @Override
  public boolean add(int row, JsonValue value) {
    switch (value.kind()) {
      case STRING -> put(row, value.text(), 1, null);
      case OBJECT -> addObject(row, value.tree());
      case ARRAY -> {
        for (JsonNode element : value.tree()) {
          if (element.isObject()) {
            addObject(row, element);
          } else if (element.isTextual()) {
            put(row, element.asText(), 1, null);
          } else if (!element.isNull()) {
            throw noText(element.isNumber() ? "VALUE_NUMBER" : "VALUE_BOOLEAN");
          }
        }
      }
      case NUMBER -> throw noText("VALUE_NUMBER");
      default -> throw noText("VALUE_BOOLEAN");
    }
    return true;
  }

  private Refusal noText(String token) {
    return Refusal.badArgument(
        "failed to parse [" + field + "]: expected text or object, but got " + token);
  }

  private void addObject(int row, JsonNode json) {
    int weight = 1;
    List<String> inputs = new ArrayList<>();
    for (var member : json.properties()) {
      JsonNode value = member.getValue();
      switch (member.getKey()) {
        case "input" -> readInputs(value, inputs);
        case "weight" -> weight = weight(value);
        case "contexts" -> {
          if (contexts.isEmpty()) {
            throw Refusal.badArgument("contexts field is not supported for field: [" + field + "]");
          }
        }
        default ->
            throw Refusal.badArgument(
                "unknown field name ["
                    + member.getKey()
                    + "], must be one of [input, weight, contexts]");
      }
    }
    for (String input : inputs) {
      put(row, input, weight, json.get("contexts"));
    }
  }

  private static void readInputs(JsonNode value, List<String> inputs) {
    if (value.isArray()) {
      for (JsonNode input : value) {
        readInput(input, inputs);
      }
    } else {
      readInput(value, inputs);
    }
  }

  private static void readInput(JsonNode value, List<String> inputs) {
    if (!value.isTextual()) {
      throw Refusal.badArgument(
          "input must be a string or a list of strings, but was [" + value + "]");
    }
    inputs.add(value.asText());
  }

  private static int weight(JsonNode value) {
    long weight;
    try {
      weight = Long.parseLong(value.asText());
    } catch (NumberFormatException e) {
      throw Refusal.badArgument("weight must be an integer, but was [" + value.asText() + "]");
    }
    if (weight < 0 || weight > Integer.MAX_VALUE) {
      throw Refusal.badArgument(
          "weight must be in the interval [0..2147483647], but was [" + weight + "]");
    }
    return (int) weight;
  }

  private void put(int row, String input, int weight, @Nullable JsonNode given) {
    if (input.isEmpty()) {
      return;
    }
    String cut = input;
    if (input.length() > inputLengthMax) {
      int end = inputLengthMax;
      end -= Character.isHighSurrogate(input.charAt(end - 1)) ? 1 : 0;
      cut = input.substring(0, end);
    }
    for (char reserved : new char[] {SEPARATOR, HOLE, 0}) {
      int at = cut.indexOf(reserved);
      if (at >= 0) {
        throw Refusal.badArgument(
            "Illegal input ["
                + input
                + "] UTF-16 codepoint [0x"
                + Integer.toHexString(reserved)
                + "] at position "
                + at
                + " is a reserved character");
      }
    }
    rows.add(row, suggestions.size());
    suggestions.add(
        contexts.isEmpty()
            ? new SuggestField(field, cut, weight)
            : new ContextSuggestField(field, cut, weight, values(given)));
  }

  private CharSequence[] values(@Nullable JsonNode given) {
    checkNames(given);
    List<CharSequence> values = new ArrayList<>();
    DocumentSource whole = document;
    if (tree == null && whole != null && readsDocument()) {
      JsonTree.askFor(whole.bytes(), whole.offset(), whole.length());
      tree = Json.parse(whole.bytes(), whole.offset(), whole.length());
    }
    for (int i = 0; i < contexts.size(); i++) {
      for (String value : contexts.get(i).values(given, tree)) {
        values.add((char) i + value);
      }
    }
    if (values.isEmpty()) {
      throw Refusal.badArgument(
          "Contexts are mandatory in context enabled completion field [" + field + "]");
    }
    return values.toArray(CharSequence[]::new);
  }

  private void checkNames(@Nullable JsonNode given) {
    if (given != null) {
      given
          .fieldNames()
          .forEachRemaining(name -> {
            if (contexts.stream().noneMatch(context -> context.name().equals(name))) {
              throw Refusal.badArgument(
                  "Unknown context name ["
                      + name
                      + "], must be one of "
                      + contexts.stream().map(SuggestionContext::name).toList());
            }
          });
    }
  }

  @Override
  public void truncate(int row) {
    rows.truncate(row);
    while (suggestions.size() > rows.count()) {
      suggestions.removeLast();
    }
  }

  @Override
  public void finish(int batchRows, Consumer<Column> columns) {
    if (rows.count() > 0) {
      columns.accept(new SuggestionsColumn(field, rows, suggestions, analyzer));
    }
  }

  @Override
  public void clear() {
    rows.clear();
    suggestions.clear();
    document = null;
    tree = null;
  }
}
