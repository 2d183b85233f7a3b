package dev.holdfast.document.ingest.file;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Reservation;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a node and its parser process say to each other, over the process's standard input and
/// output: one file, one answer, in turn. Both are of one build, so there are no versions.
///
/// A text is its length in bytes and then UTF-8. A question is the most characters, the file's name
/// (empty for none) and the file; an answer is a kind and then what was found, or why nothing was.
/// Neither side believes the other's lengths beyond a bound.
public final class FileMessages {
  /// The longest text that either side takes, in bytes.
  public static final int TEXT_BYTES_MAX = 64 << 20;

  /// The longest name of a file, in bytes.
  private static final int NAME_BYTES_MAX = 1 << 20;

  /// How the process ends when a file takes too long, and when nobody has asked it for a while.
  public static final int EXIT_LATE = 64;

  public static final int EXIT_IDLE = 65;

  /// Of one `char`.
  private static final int UTF_8_BYTES_MAX = 3;

  private static final int PARSED = 1;
  private static final int REFUSED = 2;

  private FileMessages() {}

  /// @param charsMax -1 for all
  /// @param name null for none
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Question(int charsMax, @Nullable String name, byte[] file) {}

  /// What becomes of a question.
  public sealed interface Answer {}

  /// @param file what was found in it
  public record Parsed(ParsedFile file) implements Answer {}

  /// @param type `TIKA` or `ENCRYPTED_DOCUMENT`
  public record Refused(ErrorType type, String reason) implements Answer {}

  public static void write(DataOutputStream out, Question question) throws IOException {
    out.writeInt(question.charsMax());
    write(out, question.name() == null ? "" : question.name());
    out.writeInt(question.file().length);
    out.write(question.file());
    out.flush();
  }

  /// @return null when there are no more
  public static @Nullable Question readQuestion(DataInputStream in, int fileBytesMax)
      throws IOException {
    int charsMax;
    try {
      charsMax = in.readInt();
    } catch (EOFException e) {
      return null;
    }
    String name = new String(bytes(in, length(in, NAME_BYTES_MAX)), StandardCharsets.UTF_8);
    byte[] file = bytes(in, length(in, fileBytesMax));
    return new Question(charsMax, name.isEmpty() ? null : name, file);
  }

  /// Whether an answer is short enough to be read.
  public static boolean fits(ParsedFile file) {
    return isShort(file.text())
        && file.properties().values().stream().allMatch(FileMessages::isShort);
  }

  private static boolean isShort(String text) {
    return text.length() <= TEXT_BYTES_MAX / UTF_8_BYTES_MAX;
  }

  /// @param answer with a file that [#fits]
  public static void write(DataOutputStream out, Answer answer) throws IOException {
    switch (answer) {
      case Parsed parsed -> {
        out.writeByte(PARSED);
        write(out, parsed.file().text());
        out.writeByte(parsed.file().properties().size());
        for (var property : parsed.file().properties().entrySet()) {
          write(out, property.getKey().name());
          write(out, property.getValue());
        }
      }
      case Refused refused -> {
        out.writeByte(REFUSED);
        write(out, refused.type().name());
        write(out, refused.reason());
      }
    }
    out.flush();
  }

  /// @param memory of which the texts are taken before they are read
  public static Answer readAnswer(DataInputStream in, Reservation memory) throws IOException {
    int kind = in.readByte();
    if (kind == REFUSED) {
      ErrorType type =
          readText(in, memory).equals(ErrorType.ENCRYPTED_DOCUMENT.name())
              ? ErrorType.ENCRYPTED_DOCUMENT
              : ErrorType.TIKA;
      return new Refused(type, readText(in, memory));
    }
    if (kind != PARSED) {
      throw new IOException("answer of an unknown kind [" + kind + "]");
    }
    String text = readText(in, memory);
    SortedMap<FileProperty, String> properties = new TreeMap<>();
    int count = in.readUnsignedByte();
    for (int i = 0; i < count; i++) {
      FileProperty property = FileProperty.named(readText(in, memory));
      if (property == null) {
        throw new IOException("answer with an unknown property");
      }
      properties.put(property, readText(in, memory));
    }
    return new Parsed(new ParsedFile(text, properties));
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInputStream in, Reservation memory) throws IOException {
    int length = length(in, TEXT_BYTES_MAX);
    // The bytes, and a string of two bytes a character.
    memory.add(3L * length);
    return new String(bytes(in, length), StandardCharsets.UTF_8);
  }

  private static int length(DataInputStream in, int max) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > max) {
      throw new IOException("message of [" + length + "] bytes, more than [" + max + "]");
    }
    return length;
  }

  private static byte[] bytes(DataInputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("message cut off");
    }
    return bytes;
  }
}
