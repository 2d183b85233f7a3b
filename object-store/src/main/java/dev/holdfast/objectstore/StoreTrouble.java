package dev.holdfast.objectstore;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;

/// A request to the store that fails, and is tried again or was given up.
///
/// @param failure why the newest try failed
/// @param request in a word or two: `put if absent`
/// @param key what was asked for; of a list the prefix
/// @param message of the newest failure
/// @param sinceNanos when the first try failed
/// @param tries that failed
public record StoreTrouble(
    StoreFailure failure, String request, String key, String message, long sinceNanos, int tries) {
  private static final String MEMBER = "store_failure";

  /// In one line, with what to do.
  public String sentence() {
    return sentence(failure, message);
  }

  /// In one line, with what to do.
  public static String sentence(StoreFailure failure, String message) {
    return failure.label() + ": " + message + " (" + failure.advice() + ")";
  }

  /// What a client is told whose request needs this one, before anything was changed: 429 while
  /// there is no room, 503 when the store refuses, and 429 when it does not answer.
  ///
  /// @param since for how long it has failed
  public Refusal refusal(Duration since) {
    String state = "[reason=" + failure.label() + ", for=" + since.toSeconds() + "s]: ";
    return switch (failure) {
      case FULL ->
          new Refusal(
                  ErrorType.CLUSTER_BLOCK_FOR_NOW,
                  "the object store is full " + state + message + ": " + failure.advice())
              .with(MEMBER, failure.label());
      case CREDENTIALS, CLOCK, DENIED, GATEWAY, NO_BUCKET, ARCHIVED ->
          new Refusal(
                  ErrorType.UNAVAILABLE_SHARDS,
                  "the object store refuses requests " + state + message + ": " + failure.advice())
              .with(MEMBER, failure.label());
      case NETWORK, INTERNAL, THROTTLED ->
          new Refusal(
                  ErrorType.REJECTED_EXECUTION,
                  "rejected execution: the object store does not answer, retry later "
                      + state
                      + message)
              .with(MEMBER, failure.label());
    };
  }

  /// The same refusal as one of these.
  ///
  /// @param failure of the request that it is about
  public static Refusal telling(Refusal refusal, StoreFailure failure) {
    return refusal.with(MEMBER, failure.label());
  }

  /// Whether the refusal is one of these: asking again at once, or elsewhere, changes nothing.
  public static boolean isTold(Refusal refusal) {
    return refusal.metadata().containsKey(MEMBER);
  }
}
