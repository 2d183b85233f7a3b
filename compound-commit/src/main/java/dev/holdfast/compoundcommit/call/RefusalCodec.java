package dev.holdfast.compoundcommit.call;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Errors for clients, as a part of other answers: type, reason, members and causes.
public final class RefusalCodec {
  /// Causes of causes beyond this are left out.
  private static final int CAUSES_MAX = 5;

  public static final Codec<Refusal> INSTANCE =
      Codec.record((out, refusal) -> write(out, refusal, CAUSES_MAX), RefusalCodec::read);

  private RefusalCodec() {}

  /// Any failure as a client would see it.
  public static Refusal of(Throwable failure) {
    CorruptObjectException damage = CorruptObjectException.in(failure);
    if (damage != null && !(failure instanceof Refusal)) {
      return Refusal.corrupt(damage);
    }
    return switch (failure) {
      case Refusal refusal -> refusal;
      case IOException e -> new Refusal(ErrorType.IO, String.valueOf(e.getMessage()), e.getCause());
      case IllegalArgumentException e ->
          new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e.getCause());
      default -> new Refusal(ErrorType.INTERNAL, failure.toString(), failure.getCause());
    };
  }

  private static void write(WireOutput out, Refusal refusal, int causesLeft) throws IOException {
    out.writeString(refusal.type().name());
    out.writeString(refusal.reason());
    WireValues.writeFlag(out, refusal.isWrapper());
    WireValues.writeBytes(out, Json.MAPPER.writeValueAsBytes(refusal.metadata()));
    Throwable cause = causesLeft == 0 ? null : refusal.getCause();
    WireValues.writeFlag(out, cause != null);
    if (cause != null) {
      int begin = out.begin();
      write(out, of(cause), causesLeft - 1);
      out.end(begin);
    }
    out.writeVInt(refusal.type().status());
  }

  private static Refusal read(WireInput in) throws IOException {
    String type = in.readString();
    String reason = in.readString();
    boolean isWrapper = WireValues.readFlag(in);
    byte[] members = WireValues.readBytes(in);
    Map<String, Object> metadata =
        members == null
            ? new LinkedHashMap<>()
            : Json.MAPPER.readValue(members, new TypeReference<LinkedHashMap<String, Object>>() {});
    @Nullable Refusal cause = WireValues.readFlag(in) ? INSTANCE.read(in) : null;
    ErrorType known = ErrorType.named(type, in.readVInt());
    Refusal refusal =
        isWrapper && cause != null
            ? Refusal.around(known, reason, cause)
            : new Refusal(known, reason, cause);
    metadata.forEach(refusal::with);
    return refusal;
  }
}
