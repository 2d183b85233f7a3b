package dev.holdfast.world;

/// The budgets of memory of a process; their names and defaults are Elasticsearch's.
///
/// A [Reservation] belongs to one request, which asks before it allocates; what does not fit is
/// answered 429 instead of ending the node. Limits may change while the process runs.
///
/// @param heap `parent`: all budgets, and what else is alive, must fit the heap
/// @param request `request`: what searches and other requests build up: aggregations, automata,
///   sets of ids
/// @param fieldData `fielddata`: columns that are made of documents when somebody wants them, those
///   of runtime fields; what searches no longer use of them goes first
public record Breakers(HeapUse heap, CircuitBreaker request, CircuitBreaker fieldData) {
  /// Of the heap: `indices.breaker.total.limit`; less where collections have room for less.
  public static final int TOTAL_PERCENT = 95;

  /// Of the heap: `indices.breaker.request.limit`. Half of Elasticsearch's: what requests hold
  /// beyond it fills the old generation, and while that is collected nobody is answered.
  public static final int REQUEST_PERCENT = 30;

  /// Of the heap: `indices.breaker.fielddata.limit`.
  public static final int FIELD_DATA_PERCENT = 40;

  /// What a small request holds at most, in all. It is refused last: what is left of a budget when
  /// large requests have taken it is nothing, and each small one beside them would be refused for
  /// what others hold. So those may take a little more than the limit.
  static final long SMALL_BYTES = 256 << 10;

  /// Of a limit, what small requests may take beyond it: a sixteenth.
  private static final int BEYOND_SHARE = 16;

  private static final long BEYOND_MAX = 8 << 20;

  /// The limit for one request: small ones may take more.
  ///
  /// @param limit that of large ones, in bytes
  /// @param held what the request holds, in bytes, with what it asks for
  public static long limit(long limit, long held) {
    long beyond = isSmall(held) ? Math.min(limit / BEYOND_SHARE, BEYOND_MAX) : 0;
    return limit > Long.MAX_VALUE - beyond ? limit : limit + beyond;
  }

  /// @param held what the request holds, in bytes
  static boolean isSmall(long held) {
    return held <= SMALL_BYTES;
  }

  /// The limit for large ones where there is room for so much and no more.
  static long below(long room) {
    return room - Math.min(room / BEYOND_SHARE, BEYOND_MAX);
  }

  /// Those of a heap, with the default limits.
  ///
  /// @param max bytes of the heap
  public static Breakers of(HeapUse.Source source, long max) {
    HeapUse heap = new HeapUse(max / 100 * TOTAL_PERCENT, source);
    return new Breakers(
        heap,
        new CircuitBreaker("request", max / 100 * REQUEST_PERCENT, heap),
        new CircuitBreaker("fielddata", max / 100 * FIELD_DATA_PERCENT, heap));
  }

  /// Those of a part of the process: budgets of its own below the same parent, so that what it
  /// takes is not taken from others'.
  ///
  /// @param requestLimit bytes
  /// @param fieldDataLimit bytes
  public Breakers apart(long requestLimit, long fieldDataLimit) {
    return new Breakers(
        heap,
        new CircuitBreaker("request", requestLimit, heap),
        new CircuitBreaker("fielddata", fieldDataLimit, heap));
  }

  /// Those of a part are counted no more.
  public void close() {
    request.close();
    fieldData.close();
  }

  /// Those that refuse nothing.
  public static Breakers unlimited() {
    return new Breakers(
        new HeapUse(Long.MAX_VALUE, HeapUse.UNSEEN),
        new CircuitBreaker("request", Long.MAX_VALUE),
        new CircuitBreaker("fielddata", Long.MAX_VALUE));
  }
}
