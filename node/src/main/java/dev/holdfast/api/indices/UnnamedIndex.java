package dev.holdfast.api.indices;

import dev.holdfast.http.Api;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// What is asked of no index, where no name does not stand for all: `POST /_close`.
public final class UnnamedIndex {
  private UnnamedIndex() {}

  /// @param reason what is missing, in words
  public static Api refused(String reason) {
    return request -> {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: " + reason + ";");
    };
  }
}
