package dev.holdfast.api.ingest.place;

import com.maxmind.db.DatabaseRecord;
import com.maxmind.db.Reader;
import dev.holdfast.document.ingest.IpDatabase;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A file of the format MMDB, mapped into memory.
///
/// @param listed the object as it was when it was opened
/// @param reader null for a file that is none, whose predecessor there is not
record StoredIpDatabase(Listed listed, @Nullable Reader reader) implements IpDatabase {
  boolean isOf(Listed other) {
    return listed.equals(other);
  }

  @Override
  public String type() {
    return open().getMetadata().databaseType();
  }

  private Reader open() {
    if (reader == null) {
      throw Refusal.badArgument(
          "[" + listed.key() + "] of the store is no database of the format MMDB");
    }
    return reader;
  }

  @Override
  @SuppressWarnings("rawtypes") // the library tells the types of members by classes
  public Found find(byte[] address) {
    try {
      DatabaseRecord<Map> found = open().getRecord(InetAddress.getByAddress(address), Map.class);
      return new Found(found.data() == null ? Map.of() : found.data(), found.network().toString());
    } catch (IllegalArgumentException e) {
      return new Found(Map.of(), null); // a database of IPv4 has nothing for IPv6
    } catch (IOException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "[" + listed.key() + "] of the store is damaged: " + e.getMessage(),
          e);
    }
  }
}
