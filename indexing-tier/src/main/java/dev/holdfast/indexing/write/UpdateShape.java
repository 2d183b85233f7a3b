package dev.holdfast.indexing.write;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Looks at the body of an update before anything is written: whether its members are known and of
/// a kind that they may have. Documents are passed over, not built.
public final class UpdateShape {
  private static final Set<JsonToken> OBJECT = EnumSet.of(JsonToken.START_OBJECT);
  private static final Set<JsonToken> SCRIPT =
      EnumSet.of(JsonToken.START_OBJECT, JsonToken.VALUE_STRING);
  private static final Set<JsonToken> FLAG =
      EnumSet.of(JsonToken.VALUE_TRUE, JsonToken.VALUE_FALSE, JsonToken.VALUE_STRING);
  private static final Set<JsonToken> NUMBER =
      EnumSet.of(JsonToken.VALUE_NUMBER_INT, JsonToken.VALUE_NUMBER_FLOAT, JsonToken.VALUE_STRING);
  private static final Set<JsonToken> SHOWN =
      EnumSet.of(
          JsonToken.START_OBJECT,
          JsonToken.START_ARRAY,
          JsonToken.VALUE_STRING,
          JsonToken.VALUE_TRUE,
          JsonToken.VALUE_FALSE);

  private static final List<String> MEMBERS =
      List.of(
          "_source",
          "detect_noop",
          "doc",
          "doc_as_upsert",
          "if_primary_term",
          "if_seq_no",
          "script",
          "scripted_upsert",
          "upsert");

  private UpdateShape() {}

  /// @return whether the body says what is shown of the document
  /// @throws Refusal 400 when the body is not an update
  public static boolean check(WriteOperation update) {
    boolean hasDoc = false;
    boolean hasScript = false;
    boolean isConditional = false;
    boolean isShown = false;
    boolean hasUpsert = false;
    boolean isUpsert = false;
    byte[] bytes = update.bytes();
    try (JsonParser in = Json.REQUESTS.createParser(bytes, update.offset(), update.length())) {
      JsonToken first = in.nextToken();
      if (first != JsonToken.START_OBJECT) {
        throw fault(in, "Expected START_OBJECT but was: " + first);
      }
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        Set<JsonToken> kinds = kinds(name, in);
        JsonToken value = in.nextToken();
        if (!kinds.contains(value)) {
          throw fault(in, name + " doesn't support values of type: " + kind(value));
        }
        if (kinds.equals(FLAG) && value == JsonToken.VALUE_STRING && !isFlag(in.getText())) {
          throw fault(in, "failed to parse field [" + name + "]");
        }
        hasDoc |= name.equals("doc");
        hasScript |= name.equals("script");
        isConditional |= kinds.equals(NUMBER);
        isShown |= kinds.equals(SHOWN);
        hasUpsert |= name.equals("upsert");
        isUpsert |= name.equals("doc_as_upsert") && in.getText().equals("true");
        in.skipChildren();
      }
    } catch (JsonProcessingException e) {
      throw Json.malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean wantsVersion =
        isConditional || update.condition().ifSeqNo() != WriteOperation.Condition.NONE.ifSeqNo();
    if (wantsVersion && (hasUpsert || isUpsert)) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: "
              + (isUpsert
                  ? "compare and write operations can not be used with upsert;"
                  : "upsert requests don't support `if_seq_no` and `if_primary_term`;"));
    }
    // What only the whole body tells. A stored script is not looked up yet.
    if (hasDoc ? hasScript || isConditional : !hasScript) {
      UpdateBody _ = UpdateBody.parse(update);
    }
    return isShown;
  }

  private static Set<JsonToken> kinds(String name, JsonParser in) {
    return switch (name) {
      case "doc", "upsert" -> OBJECT;
      case "script" -> SCRIPT;
      case "doc_as_upsert", "detect_noop", "scripted_upsert" -> FLAG;
      case "if_seq_no", "if_primary_term" -> NUMBER;
      case "_source" -> SHOWN;
      default ->
          throw fault(in, Suggestions.didYouMean("unknown field [" + name + "]", name, MEMBERS));
    };
  }

  private static boolean isFlag(String text) {
    return text.isEmpty() || text.equals("true") || text.equals("false");
  }

  private static String kind(JsonToken value) {
    return switch (value) {
      case VALUE_TRUE, VALUE_FALSE -> "VALUE_BOOLEAN";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "VALUE_NUMBER";
      default -> value.name();
    };
  }

  private static Refusal fault(JsonParser in, String what) {
    var at = in.currentTokenLocation();
    return new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[" + at.getLineNr() + ":" + at.getColumnNr() + "] [UpdateRequest] " + what);
  }
}
