package dev.holdfast.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.JsonMemory;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;

/// The body of a request as JSON text in UTF-8 (other formats were translated on the way in); bytes
/// `[offset, offset + length)`, empty when the client sent none. It may be kept and read at any
/// time, never changed.
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record RequestBody(byte[] bytes, int offset, int length) {
  private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  public static final RequestBody EMPTY = new RequestBody(new byte[0], 0, 0);

  public static RequestBody of(byte[] bytes) {
    return new RequestBody(bytes, 0, bytes.length);
  }

  /// What a client sent, without the mark of the order of bytes with which some editors begin a
  /// file.
  public static RequestBody received(byte[] bytes, int length) {
    boolean isMarked =
        length >= MARK.length && Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length);
    int offset = isMarked ? MARK.length : 0;
    return new RequestBody(bytes, offset, length - offset);
  }

  /// Of a tree that becomes part of the cluster state, how many there are while that changes: as it
  /// was sent, as it will be, and as it is written.
  private static final int KEPT_COPIES = 3;

  public boolean isEmpty() {
    return length == 0;
  }

  /// Its bytes from the first one on.
  public InputStream stream() {
    return new ByteArrayInputStream(bytes, offset, length);
  }

  /// Notes the memory of its tree, or of the trees of its lines.
  ///
  /// @throws dev.holdfast.world.Refusal when there is no room for it (429)
  public void askForTree() {
    RequestMemory.addFirst(JsonMemory.ofText(bytes, offset, length));
  }

  /// Parses the body; an absent one is a missing node.
  ///
  /// @throws dev.holdfast.world.Refusal when it is malformed, or memory has no room for it (429)
  public JsonNode tree() {
    askForTree();
    return Json.parseGiven(bytes, offset, length);
  }

  /// Parses the body as an object; an absent one is an empty object.
  ///
  /// @throws dev.holdfast.world.Refusal when it is malformed or no object
  public ObjectNode object() {
    askForTree();
    return isEmpty() ? Json.object() : Json.parseRequest(bytes, offset, length);
  }

  /// The same of a body that becomes part of the cluster state.
  public ObjectNode kept() {
    RequestMemory.add((KEPT_COPIES - 1) * JsonMemory.ofText(bytes, offset, length));
    return object();
  }
}
