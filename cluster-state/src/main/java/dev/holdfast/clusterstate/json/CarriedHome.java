package dev.holdfast.clusterstate.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.world.Json;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which shard a blob says that it is of, in what it carries of its index ([CarriedMetadata]): a
/// blob is whole under the name of another one, too, when somebody copied it there.
///
/// @param indexUuid empty when it does not say
/// @param shard -1 when it does not say, as blobs of builds before 28 November 2026
public record CarriedHome(String indexUuid, int shard) {
  static final String SHARD = "shard";
  private static final String UUID = "uuid";
  private static final Logger LOG = LoggerFactory.getLogger(CarriedHome.class);

  /// Looks no further than it must: what follows has the whole mapping.
  ///
  /// @param carried as [CarriedMetadata#bytes] gave it, or nothing
  public static CarriedHome of(byte[] carried) {
    int shard = -1;
    try (JsonParser in = Json.MAPPER.createParser(carried)) {
      for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
        if (token == JsonToken.FIELD_NAME && in.currentName().equals(SHARD)) {
          shard = in.nextIntValue(-1);
        } else if (token == JsonToken.FIELD_NAME && in.currentName().equals(UUID)) {
          String uuid = in.nextTextValue();
          return new CarriedHome(uuid == null ? "" : uuid, shard);
        }
      }
    } catch (IOException e) {
      LOG.debug("what a blob carries says of no index that it is of it", e);
    }
    return new CarriedHome("", shard);
  }

  /// Whether it says nothing else than that it is of that shard.
  public boolean mayBe(String uuid, String number) {
    return (indexUuid.isEmpty() || indexUuid.equals(uuid))
        && (shard < 0 || Integer.toString(shard).equals(number));
  }
}
