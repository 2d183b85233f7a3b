package dev.holdfast.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Errors in Elasticsearch's shape: the one place where they are written.
public final class ErrorBody {
  private static final int CAUSES_MAX = 10;

  private ErrorBody() {}

  /// @param withStackTrace `error_trace=true`
  public static Answer answer(Throwable failure, boolean withStackTrace) {
    Refusal refusal = refusal(failure);
    int status = refusal.status();
    Answer answer =
        Answer.error(
            status,
            out -> {
              out.writeStartObject();
              out.writeFieldName("error");
              write(out, refusal, withStackTrace);
              out.writeNumberField("status", status);
              out.writeEndObject();
            });
    return status == 429 ? answer.with("Retry-After", "1") : answer;
  }

  /// A status and a sentence, as Elasticsearch answers what never reached an API.
  public static Answer plain(int status, String message) {
    return Answer.error(
        status,
        out -> {
          out.writeStartObject();
          out.writeStringField("error", message);
          out.writeNumberField("status", status);
          out.writeEndObject();
        });
  }

  /// What no API is asked for.
  ///
  /// @param message says all there is to say
  public static Answer noHandler(String message) {
    return Answer.error(
        400,
        out -> {
          out.writeStartObject();
          out.writeStringField("error", message);
          out.writeEndObject();
        });
  }

  /// Writes the value of an `error` member, for answers that hold errors of their parts (`_bulk`,
  /// `_msearch`): `root_cause`, `type`, `reason`, …
  public static void write(JsonGenerator out, Throwable failure, boolean withStackTrace)
      throws IOException {
    Refusal refusal = refusal(failure);
    out.writeStartObject();
    out.writeArrayFieldStart("root_cause");
    for (Refusal root : rootCauses(refusal)) {
      out.writeStartObject();
      writeMembers(out, root, withStackTrace, CAUSES_MAX);
      out.writeEndObject();
    }
    out.writeEndArray();
    writeMembers(out, refusal, withStackTrace, 0);
    out.writeEndObject();
  }

  /// Writes an error without `root_cause`, as the items of `_bulk` hold it.
  public static void writeBare(JsonGenerator out, Throwable failure) throws IOException {
    out.writeStartObject();
    writeMembers(out, refusal(failure), false, 0);
    out.writeEndObject();
  }

  /// Whether the failure is nobody's wish and belongs in the log.
  public static boolean isUnexpected(Throwable failure) {
    return !(unwrapped(failure) instanceof Refusal refusal) || refusal.type() == ErrorType.INTERNAL;
  }

  /// What Jackson wraps when the bytes of a tree are refused while it is written.
  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof JsonProcessingException
            && failure.getCause() instanceof Refusal refusal
        ? refusal
        : failure;
  }

  /// Any failure as one for a client.
  public static Refusal refusal(Throwable failure) {
    CorruptObjectException damage = CorruptObjectException.in(failure);
    if (damage != null && !(failure instanceof Refusal)) {
      return Refusal.corrupt(damage);
    }
    return switch (unwrapped(failure)) {
      case Refusal refusal -> refusal;
      // Of a store that is not the cluster's own, or not only: whoever knows what it is for.
      case StoreException e when e.getCause() instanceof Refusal told -> told;
      case StoreException.Unavailable e ->
          new Refusal(
              ErrorType.UNAVAILABLE_SHARDS,
              e.failure().isRefusal()
                  ? "the object store refuses: " + e.getMessage() + ": " + e.failure().advice()
                  : "the object store does not answer: " + e.getMessage());
      case IOException e -> new Refusal(ErrorType.IO, String.valueOf(e.getMessage()), e.getCause());
      // A number in a request that is none: what read it did not say better.
      case NumberFormatException e ->
          new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage()), e);
      case StackOverflowError _ -> Refusal.nestedTooDeep();
      case InterruptedException _ -> new Refusal(ErrorType.NODE_CLOSED, "the node is stopping");
      default -> new Refusal(ErrorType.INTERNAL, failure.toString(), failure.getCause());
    };
  }

  private static List<Refusal> rootCauses(Refusal refusal) {
    return refusal.parts().isEmpty()
        ? List.of(rootCause(refusal))
        : refusal.parts().stream().map(ErrorBody::rootOfShard).toList();
  }

  private static Refusal rootCause(Refusal refusal) {
    if (isOfShards(refusal) && refusal.getCause() instanceof Refusal cause) {
      return rootOfShard(cause);
    }
    Refusal root = refusal;
    for (int i = 0; i < CAUSES_MAX && root.isWrapper(); i++) {
      if (!(root.getCause() instanceof Refusal cause)) {
        break;
      }
      root = cause;
    }
    return root;
  }

  /// Whether the failures of shards are shown beside this error.
  private static boolean isOfShards(Refusal refusal) {
    return refusal.type() == ErrorType.SEARCH_PHASE_EXECUTION
        && refusal.metadata().get("failed_shards") instanceof List<?> failed
        && !failed.isEmpty();
  }

  /// What a shard's failure comes down to: the innermost error that is Elasticsearch's own.
  private static Refusal rootOfShard(Refusal failure) {
    Refusal root = failure;
    for (int i = 0; i < CAUSES_MAX; i++) {
      if (!(root.getCause() instanceof Refusal inner)
          || root.type() == ErrorType.SCRIPT
          || inner.type().isForeign()
          || root.type().isForeign()) {
        break;
      }
      root = inner;
    }
    return root;
  }

  /// The cause of a failure of all shards: none when `failed_shards` shows the same, and an
  /// exception that is not Elasticsearch's own as its own cause.
  private static void writeCauseOfShards(JsonGenerator out, Refusal failure) throws IOException {
    Refusal root = rootOfShard(failure);
    if (root.type().isForeign()) {
      out.writeObjectFieldStart("caused_by");
      out.writeStringField("type", root.type().type());
      out.writeStringField("reason", root.reason());
      out.writeObjectFieldStart("caused_by");
      writeMembers(out, root, false, 2);
      out.writeEndObject();
      out.writeEndObject();
    } else if (root != failure) {
      out.writeObjectFieldStart("caused_by");
      writeMembers(out, root, false, 1);
      out.writeEndObject();
    }
  }

  /// `number_format_exception` for a `NumberFormatException`.
  private static String typeOf(Throwable cause) {
    String name = cause.getClass().getSimpleName();
    return name.replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static void writeSuppressed(JsonGenerator out, Refusal refusal) throws IOException {
    if (refusal.getSuppressed().length == 0) {
      return;
    }
    out.writeArrayFieldStart("suppressed");
    for (Throwable other : refusal.getSuppressed()) {
      out.writeStartObject();
      writeMembers(out, refusal(other), false, CAUSES_MAX);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /// @param depth of this error in its chain of causes; [#CAUSES_MAX] writes no causes
  private static void writeMembers(
      JsonGenerator out, Refusal refusal, boolean withStackTrace, int depth) throws IOException {
    out.writeStringField("type", refusal.type().type());
    out.writeStringField("reason", refusal.reason());
    for (Map.Entry<String, Object> e : refusal.metadata().entrySet()) {
      out.writePOJOField(e.getKey(), e.getValue());
    }
    Throwable cause = refusal.getCause();
    if (depth < CAUSES_MAX && isOfShards(refusal) && cause instanceof Refusal failure) {
      writeCauseOfShards(out, failure);
    } else if (cause != null && depth < CAUSES_MAX) {
      out.writeObjectFieldStart("caused_by");
      if (cause instanceof Refusal inner) {
        writeMembers(out, inner, false, depth + 1);
      } else {
        out.writeStringField("type", typeOf(cause));
        out.writeStringField("reason", cause.getMessage());
      }
      out.writeEndObject();
    }
    writeSuppressed(out, refusal);
    if (withStackTrace) {
      StringWriter trace = new StringWriter();
      refusal.printStackTrace(new PrintWriter(trace));
      out.writeStringField("stack_trace", trace.toString());
    }
  }
}
