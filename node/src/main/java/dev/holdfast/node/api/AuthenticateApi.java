package dev.holdfast.node.api;

import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// `/_security/…`: there is none yet, and clients are told so in the words they know.
final class AuthenticateApi implements Api {
  @Override
  public Answer handle(ApiRequest request) {
    throw new Refusal(
        ErrorType.ILLEGAL_STATE,
        "Security must be explicitly enabled when using a [basic] license. Enable security by"
            + " setting [xpack.security.enabled] to [true] in the elasticsearch.yml file and"
            + " restart the node.");
  }
}
