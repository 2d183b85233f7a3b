package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Cuts the body of a `_bulk` into its actions, in one pass over the bytes: documents are not
/// looked at, only their lines found. An action line equal to the one before (as with ids made by
/// the server) is not parsed again.
final class BulkBody {
  /// Eight bytes at a time; the others tell which of eight bytes is a newline.
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long NEWLINES = 0x0a0a0a0a0a0a0a0aL;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  /// Reads one member of an object that goes on.
  private static final ObjectReader MEMBERS =
      Json.MAPPER.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /// What an item takes until it is answered: its operation, id, result, and its part of an answer
  /// that grows by doubling.
  static final int ITEM_BYTES = 768;

  /// What an action line that is not the one before takes, beside its text.
  static final int ACTION_BYTES = 192;

  /// What a fault takes, in the list and in the answer.
  private static final int FAULT_BYTES = 256;

  private BulkBody() {}

  /// An action line.
  ///
  /// @param ifSeqNo as `ifPrimaryTerm` and `version` that of [Condition#NONE] when it does not say
  /// @param dynamicTemplates names of templates, by the paths of new fields
  /// @param listsPipelines whether the answer says which pipelines ran
  /// @param source what an update shows of its document; null when it does not say
  record Action(
      Kind kind,
      @Nullable String index,
      @Nullable String id,
      @Nullable String routing,
      long ifSeqNo,
      long ifPrimaryTerm,
      long version,
      String versionType,
      int retryOnConflict,
      @Nullable Boolean requireAlias,
      @Nullable String pipeline,
      @Nullable JsonNode source,
      @Nullable Boolean requireDataStream,
      boolean listsPipelines,
      Map<String, String> dynamicTemplates) {}

  /// An action with its document: bytes `[offset, offset + length)` of the body.
  record Item(Action action, int offset, int length) {}

  /// @throws Refusal for a malformed action line, a missing document or a missing last newline;
  ///   nothing is written then
  static List<Item> parse(RequestBody body) {
    byte[] bytes = body.bytes();
    int end = body.offset() + body.length();
    int position = body.offset();
    List<Item> items = new ArrayList<>();
    Action action = null;
    int actionStart = 0;
    int actionEnd = 0;
    int line = 0;
    while (position < end) {
      RequestMemory.add(ITEM_BYTES);
      line++;
      int newline = newline(bytes, position, end);
      if (newline < 0) {
        throw unterminated();
      }
      if (isBlank(bytes, position, newline)) {
        position = newline + 1;
        continue;
      }
      if (action == null
          || !Arrays.equals(bytes, actionStart, actionEnd, bytes, position, newline)) {
        action = action(bytes, position, newline, line);
        actionStart = position;
        RequestMemory.add(ACTION_BYTES + newline - position);
        actionEnd = newline;
      }
      position = newline + 1;
      if (action.kind() == Kind.DELETE) {
        items.add(new Item(action, 0, 0));
        continue;
      }
      line++;
      int documentEnd = position < end ? newline(bytes, position, end) : -1;
      if (documentEnd < 0) {
        throw unterminated();
      }
      int length = documentEnd - position;
      if (length > 0 && bytes[documentEnd - 1] == '\r') {
        length--;
      }
      items.add(new Item(action, position, length));
      position = documentEnd + 1;
    }
    if (items.isEmpty()) {
      throw noItems();
    }
    return items;
  }

  /// Refuses items that say too little.
  ///
  /// @param defaultIndex of those that name none; null when the URL says none
  static void requireValid(List<Item> items, @Nullable String defaultIndex) {
    List<String> faults = new ArrayList<>();
    for (Item item : items) {
      addFaults(faults, item.action(), defaultIndex);
    }
    if (!faults.isEmpty()) {
      throw WriteConditions.invalid(faults);
    }
  }

  /// What an action lacks, or what in it contradicts itself.
  static void addFaults(List<String> faults, Action action, @Nullable String defaultIndex) {
    int before = faults.size();
    if (action.index() == null && defaultIndex == null) {
      faults.add("index is missing");
    }
    if (action.id() == null && (action.kind() == Kind.UPDATE || action.kind() == Kind.DELETE)) {
      faults.add("id is missing");
    }
    faults.addAll(WriteConditions.faults(action));
    RequestMemory.add((long) FAULT_BYTES * (faults.size() - before));
  }

  /// The next newline, eight bytes a step; -1 for none.
  static int newline(byte[] bytes, int from, int end) {
    int i = from;
    for (; i + 8 <= end; i += 8) {
      long word = (long) LONGS.get(bytes, i) ^ NEWLINES;
      long zeros = (word - ONES) & ~word & HIGHS;
      if (zeros != 0) {
        return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    for (; i < end; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\r' && bytes[i] != '\t') {
        return false;
      }
    }
    return true;
  }

  /// Parses an action line.
  ///
  /// @param line its number, for whoever reads why it is refused
  static Action action(byte[] bytes, int from, int to, int line) {
    JsonTree.askFor(bytes, from, to - from); // all of a long one is what it says of a source
    try (JsonParser in = Json.MAPPER.createParser(bytes, from, to - from)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw malformed(line, "expected START_OBJECT but found [" + in.currentToken() + "]");
      }
      if (in.nextToken() != JsonToken.FIELD_NAME) {
        throw malformed(line, "expected FIELD_NAME but found [" + in.currentToken() + "]");
      }
      Kind kind = kind(in.currentName(), line);
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw malformed(line, "expected START_OBJECT but found [" + in.currentToken() + "]");
      }
      Action action = members(in, kind, line);
      if (in.nextToken() != JsonToken.END_OBJECT) {
        throw malformed(line, "expected END_OBJECT but found [" + in.currentToken() + "]");
      }
      JsonToken after = in.nextToken();
      if (after != null) {
        throw malformed(line, "unexpected data after the closing object [" + after + "]");
      }
      return action;
    } catch (JsonProcessingException e) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[1:" + e.getLocation().getColumnNr() + "] " + Json.message(e),
          new Refusal(ErrorType.JSON_PARSE, Json.message(e)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Kind kind(String name, int line) {
    return switch (name) {
      case "index" -> Kind.INDEX;
      case "create" -> Kind.CREATE;
      case "update" -> Kind.UPDATE;
      case "delete" -> Kind.DELETE;
      default ->
          throw malformed(
              line,
              "expected field [create], [delete], [index] or [update] but found [" + name + "]");
    };
  }

  private static Action members(JsonParser in, Kind given, int line) throws IOException {
    Kind kind = given;
    String index = null;
    String id = null;
    String routing = null;
    long ifSeqNo = Condition.NONE.ifSeqNo();
    long ifPrimaryTerm = Condition.NONE.ifPrimaryTerm();
    long version = Condition.NONE.version();
    String versionType = "internal";
    int retries = 0;
    Boolean requireAlias = null;
    String pipeline = null;
    JsonNode source = null;
    Boolean requireDataStream = null;
    boolean listsPipelines = false;
    Map<String, String> dynamicTemplates = Map.of();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken value = in.nextToken();
      if (value == JsonToken.VALUE_NULL) {
        continue; // whatever it is called
      }
      if (!value.isScalarValue()) {
        if (name.equals("dynamic_templates") && value == JsonToken.START_OBJECT) {
          dynamicTemplates = templates(in, kind, line);
          continue;
        }
        if (name.equals("_source")) {
          source = MEMBERS.readTree(in);
          continue;
        }
        throw malformed(
            line, "expected a simple value for field [" + name + "] but found [" + value + "]");
      }
      String text = in.getText();
      switch (name) {
        case "_index" -> index = text;
        case "_id" -> id = text;
        case "routing" -> routing = text;
        case "op_type" -> kind = opType(kind, text);
        case "version" -> version = whole(in);
        case "version_type" -> versionType = text;
        case "if_seq_no" -> ifSeqNo = whole(in);
        case "if_primary_term" -> ifPrimaryTerm = whole(in);
        case "retry_on_conflict" -> retries = (int) Math.min(whole(in), Integer.MAX_VALUE);
        case "require_alias" -> requireAlias = flag(in);
        case "_source" -> source = TextNode.valueOf(text);
        case "require_data_stream" -> requireDataStream = flag(in);
        case "list_executed_pipelines" -> listsPipelines = flag(in);
        case "pipeline" -> pipeline = text;
        default ->
            throw Refusal.badArgument(
                "Action/metadata line [" + line + "] contains an unknown parameter [" + name + "]");
      }
    }
    return new Action(
        kind,
        index,
        id,
        routing,
        ifSeqNo,
        ifPrimaryTerm,
        version,
        versionType,
        retries,
        requireAlias,
        pipeline,
        source,
        requireDataStream,
        listsPipelines,
        dynamicTemplates);
  }

  /// A number, also in text; what is none is refused and never taken for nothing.
  private static long whole(JsonParser in) throws IOException {
    try {
      return in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
          ? (long) in.getDoubleValue()
          : Long.parseLong(in.getText());
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT, "For input string: \"" + in.getText() + "\"", e);
    }
  }

  private static boolean flag(JsonParser in) throws IOException {
    return switch (in.getText()) {
      case "true" -> true;
      case "false", "" -> false;
      default ->
          throw Refusal.badArgument(
              "Failed to parse value ["
                  + in.getText()
                  + "] as only [true] or [false] are allowed.");
    };
  }

  private static Map<String, String> templates(JsonParser in, Kind kind, int line)
      throws IOException {
    if (kind == Kind.UPDATE || kind == Kind.DELETE) {
      throw Refusal.badArgument(
          (kind == Kind.UPDATE ? "Update" : "Delete")
              + " request in line ["
              + line
              + "] does not accept dynamic_templates");
    }
    Map<String, String> templates = new HashMap<>();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String path = in.currentName();
      JsonToken value = in.nextToken();
      if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
        throw malformed(
            line, "expected the name of a dynamic template for [" + path + "] but found " + value);
      }
      templates.put(path, in.getText());
    }
    return templates;
  }

  private static Kind opType(Kind kind, @Nullable String text) {
    if (kind == Kind.INDEX && text != null) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "create" -> Kind.CREATE;
        case "index" -> Kind.INDEX;
        default ->
            throw Refusal.badArgument("opType must be 'create' or 'index', found: [" + text + "]");
      };
    }
    return kind;
  }

  static Refusal noItems() {
    return new Refusal(
        ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: no requests added;");
  }

  static Refusal unterminated() {
    return Refusal.badArgument("The bulk request must be terminated by a newline [\\n]");
  }

  private static Refusal malformed(int line, String what) {
    return Refusal.badArgument("Malformed action/metadata line [" + line + "], " + what);
  }
}
