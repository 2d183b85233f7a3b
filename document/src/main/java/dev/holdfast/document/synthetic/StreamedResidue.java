package dev.holdfast.document.synthetic;

import dev.holdfast.world.text.JsonTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The residue of most documents: members are copied or left out as they stand, without a tree. The
/// document was scanned before, and so is JSON.
final class StreamedResidue {
  private static final byte[] NOTED_BEFORE =
      ("\"" + SourceResidue.NOTES + "\":{\"" + SourceResidue.KEPT + "\":[")
          .getBytes(StandardCharsets.UTF_8);

  private final ResidueRule root;
  private final List<byte[]> noted = new ArrayList<>();
  private byte[] in = BytesRef.EMPTY_BYTES;
  private int at;
  private byte[] out = BytesRef.EMPTY_BYTES;
  private int size;

  StreamedResidue(ResidueRule root) {
    this.root = root;
  }

  /// What is stored of a document, empty for nothing; null where [SourceResidue] must look at the
  /// whole of it.
  byte @Nullable [] of(byte[] bytes, int offset, int length) {
    if (length > JsonTree.SMALL_MAX_BYTES) {
      return null; // whose memory is asked for
    }
    in = bytes;
    at = offset;
    size = 0;
    noted.clear();
    skipSpace();
    write('{');
    boolean isWhole = !root.isTree() && members(root);
    in = BytesRef.EMPTY_BYTES;
    if (!isWhole) {
      return null;
    }
    writeNotes();
    if (size == 1) {
      return SourceResidue.NOTHING;
    }
    write('}');
    return Arrays.copyOf(out, size);
  }

  private void writeNotes() {
    if (noted.isEmpty()) {
      return;
    }
    comma();
    write(NOTED_BEFORE);
    for (int i = 0; i < noted.size(); i++) {
      if (i > 0) {
        write(',');
      }
      write(noted.get(i));
    }
    write(']');
    write('}');
  }

  /// Of the object that begins here.
  ///
  /// @return whether that is all; false where the tree must tell
  private boolean members(ResidueRule object) {
    at++;
    skipSpace();
    if (in[at] == '}') {
      at++;
      return true;
    }
    while (true) {
      int name = at;
      boolean _ = skipString();
      int nameLength = at - name;
      skipSpace();
      at++; // the colon
      skipSpace();
      String text = new String(in, name + 1, nameLength - 2, StandardCharsets.UTF_8);
      if (text.indexOf('\\') >= 0 || !member(object.member(text), name, nameLength)) {
        return false;
      }
      skipSpace();
      if (in[at++] == '}') {
        return true;
      }
      skipSpace();
    }
  }

  private boolean member(ResidueRule rule, int name, int nameLength) {
    ResidueRule.Left left =
        switch (in[at]) {
          case 'n' -> rule.ofNull;
          case '[' -> rule.ofArray;
          default -> rule.ofOne;
        };
    return switch (left) {
      case NOTHING -> value(false);
      case COPY -> {
        if (rule.noted != null) {
          noted.add(rule.noted);
        }
        writeName(name, nameLength);
        yield value(true);
      }
      case MEMBERS -> in[at] == '{' && inner(rule, name, nameLength);
      case TREE -> false;
    };
  }

  private boolean inner(ResidueRule rule, int name, int nameLength) {
    int before = size;
    writeName(name, nameLength);
    write('{');
    int empty = size;
    if (!members(rule)) {
      return false;
    }
    if (size == empty) {
      size = before;
    } else {
      write('}');
    }
    return true;
  }

  private void writeName(int name, int length) {
    comma();
    write(name, length);
    write(':');
  }

  private void comma() {
    if (out[size - 1] != '{') {
      write(',');
    }
  }

  private void skipSpace() {
    while (isSpace(in[at])) {
      at++;
    }
  }

  private static boolean isSpace(byte c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  /// @return whether it has no escaped surrogates, of which the tree says whether they are pairs
  private boolean skipString() {
    boolean isPlain = true;
    at++;
    while (in[at] != '"') {
      if (in[at] == '\\') {
        at++;
        isPlain &= in[at] != 'u' || (in[at + 1] | 0x20) != 'd';
      }
      at++;
    }
    at++;
    return isPlain;
  }

  /// Goes behind a value, and copies it without the space in it if it is meant to.
  ///
  /// @return whether it could be copied
  private boolean value(boolean isCopied) {
    boolean isPlain = true;
    int depth = 0;
    do {
      int from = at;
      switch (in[at]) {
        case '"' -> isPlain &= skipString();
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case ',', ':' -> at++;
        default -> skipWord();
      }
      if (isCopied) {
        write(from, at - from);
      }
      if (depth > 0) {
        skipSpace();
      }
    } while (depth > 0);
    return isPlain || !isCopied;
  }

  /// A number, or `true`, `false`, `null`.
  private void skipWord() {
    while (in[at] != ',' && in[at] != '}' && in[at] != ']' && !isSpace(in[at])) {
      at++;
    }
  }

  private void write(char c) {
    out = ArrayUtil.grow(out, size + 1);
    out[size++] = (byte) c;
  }

  private void write(byte[] bytes) {
    out = ArrayUtil.grow(out, size + bytes.length);
    System.arraycopy(bytes, 0, out, size, bytes.length);
    size += bytes.length;
  }

  /// Of what is read.
  private void write(int from, int length) {
    out = ArrayUtil.grow(out, size + length);
    System.arraycopy(in, from, out, size, length);
    size += length;
  }
}
