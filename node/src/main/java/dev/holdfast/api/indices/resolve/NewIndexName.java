package dev.holdfast.api.indices.resolve;

/// The name of an index that is to be made, and how it was given: with dates, perhaps, which the
/// rollovers of the index fill in anew.
///
/// @param given what `index.provided_name` says
public record NewIndexName(String name, String given) {
  /// A name as it was given.
  ///
  /// @param nowMillis what its dates are filled in with
  /// @throws dev.holdfast.world.Refusal `parse_exception`
  public static NewIndexName of(String given, long nowMillis) {
    return new NewIndexName(DateMathNames.resolve(given, nowMillis), given);
  }

  /// A name without dates.
  public static NewIndexName plain(String name) {
    return new NewIndexName(name, name);
  }
}
