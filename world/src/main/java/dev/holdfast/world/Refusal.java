package dev.holdfast.world;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An error meant for the client: thrown where the fault is known, rendered once at the HTTP edge
/// in Elasticsearch's shape (`error.type`, `error.reason`, `error.root_cause`, `caused_by`,
/// status). It changes nothing.
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Characters of a reason; what is longer is cut.
  static final int REASON_MAX = 64 << 10;

  private final ErrorType type;
  private final transient Map<String, Object> metadata = new LinkedHashMap<>();
  private final boolean isWrapper;
  private final transient List<Refusal> parts;
  private transient @Nullable MemberLocation place;

  public Refusal(ErrorType type, String reason) {
    this(type, reason, null, false, List.of());
  }

  public Refusal(ErrorType type, String reason, @Nullable Throwable cause) {
    this(type, reason, cause, false, List.of());
  }

  private Refusal(
      ErrorType type,
      String reason,
      @Nullable Throwable cause,
      boolean isWrapper,
      List<Refusal> parts) {
    super(bounded(reason), cause);
    this.type = type;
    this.isWrapper = isWrapper;
    this.parts = parts;
  }

  /// What was refused is often said whole, and may be all of a body: as a reason it would be held
  /// once for each error around it, and written for people who read none of it.
  private static String bounded(String reason) {
    if (reason.length() <= REASON_MAX) {
      return reason;
    }
    // Half a character cannot be written.
    boolean isHalf = Character.isHighSurrogate(reason.charAt(REASON_MAX - 1));
    return reason.substring(0, isHalf ? REASON_MAX - 1 : REASON_MAX) + "…";
  }

  /// An error around a cause whose root cause is the cause itself, as
  /// `search_phase_execution_exception` is.
  public static Refusal around(ErrorType type, String reason, Throwable cause) {
    return new Refusal(type, reason, cause, true, List.of());
  }

  /// An error of what failed in several parts, as a search does whose shards fail: `root_cause`
  /// names what each of them failed with.
  ///
  /// @param cause that `caused_by` shows; null for none
  /// @param parts at least one
  public static Refusal ofParts(
      ErrorType type, String reason, @Nullable Refusal cause, List<Refusal> parts) {
    return new Refusal(type, reason, cause, true, List.copyOf(parts));
  }

  /// A bad argument: `illegal_argument_exception`, 400.
  public static Refusal badArgument(String reason) {
    return new Refusal(ErrorType.ILLEGAL_ARGUMENT, reason);
  }

  /// An index that does not exist: `index_not_found_exception`, 404, with the members that clients
  /// read.
  public static Refusal indexNotFound(String index) {
    return new Refusal(ErrorType.INDEX_NOT_FOUND, "no such index [" + index + "]")
        .with("resource.type", "index_or_alias")
        .with("resource.id", index)
        .with("index_uuid", "_na_")
        .with("index", index);
  }

  /// Data that are not what was written: `corrupt_index_exception`, 500, naming the object.
  public static Refusal corrupt(CorruptObjectException damage) {
    return new Refusal(
        ErrorType.CORRUPT_INDEX, String.valueOf(damage.getMessage()), damage.getCause());
  }

  /// More memory than a budget has: `circuit_breaking_exception`, 429.
  ///
  /// @param breaker the budget, and `data` what it is for, as Elasticsearch names them
  /// @param wanted bytes of all there would be, of at most `max`
  /// @param isTransient whether the same may fit in a moment
  public static Refusal tooMuchMemory(
      String breaker, String data, long wanted, long max, boolean isTransient) {
    return new Refusal(
            ErrorType.CIRCUIT_BREAKING,
            "["
                + breaker
                + "] Data too large, data for ["
                + data
                + "] would be ["
                + wanted
                + "/"
                + new ByteSize(wanted)
                + "], which is larger than the limit of ["
                + max
                + "/"
                + new ByteSize(max)
                + "]")
        .with("bytes_wanted", wanted)
        .with("bytes_limit", max)
        .with("durability", isTransient ? "TRANSIENT" : "PERMANENT");
  }

  /// A request whose parts lie so deep in one another that the stack has no room for them: 400.
  /// Clients are not told of the overflow: it is how this was noticed, not what was wrong.
  public static Refusal nestedTooDeep() {
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "the request is nested too deep to be executed: make it flatter");
  }

  /// Adds a member to the rendered error (`index`, `shard`, `line`, …); values are strings,
  /// numbers, booleans or lists.
  public Refusal with(String name, Object value) {
    metadata.put(name, value);
    return this;
  }

  /// Says where in the request the fault is, where that is known.
  public Refusal at(@Nullable MemberLocation where) {
    place = where;
    return this;
  }

  /// This error with its line and column in words: as members of a `parsing_exception`, before the
  /// reason of any other; itself when the fault is at no place of the text.
  ///
  /// @param text the request's
  public Refusal located(byte[] text) {
    MemberLocation.Position position = place == null ? null : place.position(text);
    if (position == null) {
      return this;
    }
    boolean isNoted = type == ErrorType.PARSING;
    String prefix = isNoted ? "" : "[" + position.line() + ":" + position.column() + "] ";
    Throwable cause = getCause() instanceof Refusal inner ? inner.located(text) : getCause();
    Refusal located = new Refusal(type, prefix + reason(), cause, isWrapper, parts);
    located.metadata.putAll(metadata);
    if (isNoted) {
      located.with("line", position.line()).with("col", position.column());
    }
    located.setStackTrace(getStackTrace());
    return located;
  }

  /// This error, and another that came of what was done about it.
  public Refusal suppressing(Throwable other) {
    Refusal both = new Refusal(type, reason(), getCause(), isWrapper, parts);
    both.metadata.putAll(metadata);
    both.setStackTrace(getStackTrace());
    both.addSuppressed(other);
    return both;
  }

  /// A name that stands for none of the kinds that are known: `parsing_exception`.
  ///
  /// @param where the value under that name
  public static Refusal unknownKind(String reason, String name, @Nullable MemberLocation where) {
    Refusal cause =
        new Refusal(ErrorType.NAMED_OBJECT_NOT_FOUND, "unknown field [" + name + "]").at(where);
    return new Refusal(ErrorType.PARSING, reason, cause).at(where);
  }

  public ErrorType type() {
    return type;
  }

  /// The HTTP status; a search's is that of the shard that failed first, or of one that failed by
  /// the fault of a node.
  public int status() {
    if (type != ErrorType.SEARCH_PHASE_EXECUTION) {
      return type.status();
    }
    for (Refusal part : parts) {
      if (part.status() >= 500) {
        return part.status();
      }
    }
    Throwable first = parts.isEmpty() ? getCause() : parts.getFirst();
    return first instanceof Refusal cause ? cause.status() : type.status();
  }

  /// The reason a person reads.
  public String reason() {
    return String.valueOf(getMessage());
  }

  public Map<String, Object> metadata() {
    return metadata;
  }

  /// What `root_cause` names the roots of; none when that is the cause or this error.
  public List<Refusal> parts() {
    return parts;
  }

  /// Whether `root_cause` names the cause rather than this error.
  public boolean isWrapper() {
    return isWrapper;
  }
}
