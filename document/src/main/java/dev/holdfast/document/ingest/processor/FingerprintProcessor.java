package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.util.StringHelper;

/// `fingerprint`: a hash of the values of some fields, of the same bytes as Elasticsearch's, since
/// it may be the `_id` under which a document lies already.
///
/// @param fields sorted
public record FingerprintProcessor(
    List<FieldPath> fields, FieldPath target, String salt, String method, boolean isMissingIgnored)
    implements Processor {
  private static final List<String> METHODS =
      List.of("MD5", "SHA-1", "SHA-256", "SHA-512", "MurmurHash3");
  private static final byte DELIMITER = 0;
  private static final byte TRUE = 1;
  private static final byte FALSE = 2;

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    List<String> fields = config.requiredList("fields");
    if (fields.isEmpty()) {
      throw config.wrong("fields", "must specify at least one field");
    }
    String method = config.string("method", "SHA-1");
    if (!METHODS.contains(method)) {
      throw config.wrong(
          "method", "[" + method + "] must be one of the supported hash methods " + METHODS);
    }
    return new FingerprintProcessor(
        fields.stream().sorted().map(FieldPath::of).toList(),
        FieldPath.of(config.string("target_field", "fingerprint")),
        config.string("salt", ""),
        method,
        config.flag("ignore_missing", false));
  }

  @Override
  public void apply(IngestDocument document) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (!salt.isBlank()) {
      bytes.writeBytes(salt.getBytes(StandardCharsets.UTF_8));
    }
    boolean hasOne = false;
    for (FieldPath field : fields) {
      JsonNode value = document.find(field);
      boolean isMissing = value == null || value.isNull();
      if (isMissing && !isMissingIgnored) {
        throw Refusal.badArgument(
            "missing field [" + field.text() + "] when calculating fingerprint");
      }
      if (value != null && !isMissing) {
        hasOne = true;
        add(bytes, value);
      }
    }
    if (hasOne) {
      document.set(
          target, TextNode.valueOf(Base64.getEncoder().encodeToString(hash(bytes.toByteArray()))));
    }
  }

  /// Objects by the order of their members' names, lists as their elements, one after the other;
  /// before each name and each value stands a delimiter.
  private static void add(ByteArrayOutputStream to, JsonNode value) {
    switch (value) {
      case ObjectNode object -> {
        TreeSet<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
          to.write(DELIMITER);
          to.writeBytes(name.getBytes(StandardCharsets.UTF_8));
          add(to, object.path(name));
        }
      }
      case ArrayNode list -> list.forEach(one -> add(to, one));
      default -> {
        to.write(DELIMITER);
        to.writeBytes(bytes(value));
      }
    }
  }

  /// Numbers in as many bytes as Java's own have, the lowest first.
  private static byte[] bytes(JsonNode value) {
    return switch (value) {
      case BooleanNode flag -> new byte[] {flag.booleanValue() ? TRUE : FALSE};
      case IntNode number -> lowestFirst(Integer.BYTES).putInt(number.intValue()).array();
      case LongNode number -> lowestFirst(Long.BYTES).putLong(number.longValue()).array();
      case FloatNode number -> lowestFirst(Float.BYTES).putFloat(number.floatValue()).array();
      case DoubleNode number -> lowestFirst(Double.BYTES).putDouble(number.doubleValue()).array();
      case BinaryNode binary -> binary.binaryValue();
      case NullNode _ -> new byte[0];
      case NumericNode number ->
          throw Refusal.badArgument(
              "cannot convert [" + number.asText() + "] to bytes: no 64 bits hold it");
      default -> value.asText().getBytes(StandardCharsets.UTF_8);
    };
  }

  private static ByteBuffer lowestFirst(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private byte[] hash(byte[] bytes) {
    if (method.equals("MurmurHash3")) {
      long[] hash = StringHelper.murmurhash3_x64_128(bytes, 0, bytes.length, 0);
      return ByteBuffer.allocate(16).putLong(hash[0]).putLong(hash[1]).array();
    }
    try {
      return MessageDigest.getInstance(method).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
