package dev.holdfast.api.info;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// `/_security/…`: there is none yet, and clients are told so in the words they know.
public final class AuthenticateApi implements Api {
  @Override
  public Answer handle(ApiRequest request) {
    throw new Refusal(
        ErrorType.ILLEGAL_STATE,
        "Security must be explicitly enabled when using a [basic] license. Enable security by"
            + " setting [xpack.security.enabled] to [true] in the elasticsearch.yml file and"
            + " restart the node.");
  }
}
