package dev.holdfast.indexing.recovery;

import dev.holdfast.document.Routing;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/// Hashes of terms as [Routing#hash] hashes their texts; no text is made of a term of ASCII, as
/// nearly all ids are. Of one thread.
final class TermHashes {
  private static final int UNITS = 64;

  /// UTF-16, low byte first: of ASCII every other byte is 0, and stays so.
  private byte[] units = new byte[2 * UNITS];

  int of(BytesRef term) {
    int length = term.length;
    if (2 * length > units.length) {
      units = new byte[4 * length];
    }
    for (int i = 0; i < length; i++) {
      byte unit = term.bytes[term.offset + i];
      if (unit < 0) {
        return Routing.hash(term.utf8ToString());
      }
      units[2 * i] = unit;
    }
    return StringHelper.murmurhash3_x86_32(units, 0, 2 * length, 0);
  }
}
