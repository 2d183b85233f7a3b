package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// `fingerprint`: a hash of some fields, the same for the same values whatever the order of the
/// fields.
///
/// @param fields sorted
public record FingerprintProcessor(
    List<FieldPath> fields, FieldPath target, String salt, String method, boolean isMissingIgnored)
    implements Processor {
  private static final List<String> METHODS =
      List.of("MD5", "SHA-1", "SHA-256", "SHA-512", "MurmurHash3");
  private static final byte DELIMITER = 0;

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
    List<FieldPath> sorted = new ArrayList<>();
    new TreeSet<>(fields).forEach(one -> sorted.add(FieldPath.of(one)));
    return new FingerprintProcessor(
        List.copyOf(sorted),
        FieldPath.of(config.string("target_field", "fingerprint")),
        config.string("salt", ""),
        method,
        config.flag("ignore_missing", false));
  }

  @Override
  public void apply(IngestDocument document) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    put(bytes, salt.getBytes(StandardCharsets.UTF_8));
    boolean hasOne = false;
    for (FieldPath field : fields) {
      JsonNode value = document.find(field);
      if (value == null && !isMissingIgnored) {
        throw Refusal.badArgument(
            "missing field [" + field.text() + "] when calculating fingerprint");
      }
      if (value != null) {
        hasOne = true;
        put(bytes, field.text().getBytes(StandardCharsets.UTF_8));
        add(bytes, value);
      }
    }
    if (hasOne) {
      document.set(
          target, TextNode.valueOf(Base64.getEncoder().encodeToString(hash(bytes.toByteArray()))));
    }
  }

  private static void put(ByteArrayOutputStream to, byte[] bytes) {
    to.write(DELIMITER);
    to.writeBytes(bytes);
  }

  /// Objects by the order of their members' names; what is there twice counts twice.
  private static void add(ByteArrayOutputStream to, JsonNode value) {
    if (value.isObject()) {
      TreeSet<String> names = new TreeSet<>();
      value.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        put(to, name.getBytes(StandardCharsets.UTF_8));
        add(to, value.path(name));
      }
    } else if (value.isArray()) {
      value.forEach(one -> add(to, one));
    } else {
      put(to, value.asText().getBytes(StandardCharsets.UTF_8));
    }
  }

  private byte[] hash(byte[] bytes) {
    if (method.equals("MurmurHash3")) {
      long[] hash = StringHelper.murmurhash3_x64_128(new BytesRef(bytes));
      return ByteBuffer.allocate(16).putLong(hash[0]).putLong(hash[1]).array();
    }
    try {
      return MessageDigest.getInstance(method).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
