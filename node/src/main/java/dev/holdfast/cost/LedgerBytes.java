package dev.holdfast.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.compoundcommit.blob.BlobSection;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The account as bytes: sealed, compressed JSON. Members that a later build adds are passed over.
public final class LedgerBytes {
  public static final String FOLDER = "cost/";

  /// The one object.
  public static final String KEY = FOLDER + "ledger";

  /// Names the kind of object.
  public static final String MAGIC = "HFCO";

  private static final int VERSION = 2;

  private LedgerBytes() {}

  public static byte[] write(CostLedger ledger) {
    ObjectNode json = Json.object().put("since", ledger.sinceMillis());
    json.set("days", json(ledger.days()));
    json.set("heard", json(ledger.heard()));
    return ChecksummedBytes.seal(MAGIC, VERSION, BlobSection.write(Json.bytes(json)));
  }

  private static ObjectNode json(Map<String, Spent> named) {
    ObjectNode json = Json.object();
    named.forEach((name, spent) -> json.set(name, spent.json()));
    return json;
  }

  /// @throws CorruptObjectException when the bytes are not what [#write] gave
  public static CostLedger read(byte[] bytes) throws IOException {
    byte[] section = ChecksummedBytes.open(MAGIC, VERSION, bytes, KEY);
    byte[] raw = BlobSection.read(KEY, section, 0, section.length);
    try {
      ObjectNode json = Json.parseObject(raw, 0, raw.length);
      return new CostLedger(
          json.path("since").asLong(), named(json.path("days")), named(json.path("heard")));
    } catch (RuntimeException e) {
      throw new CorruptObjectException(KEY, "no account: " + e.getMessage());
    }
  }

  private static SortedMap<String, Spent> named(JsonNode json) {
    SortedMap<String, Spent> named = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : json.properties()) {
      named.put(one.getKey(), Spent.read(one.getValue()));
    }
    return named;
  }
}
