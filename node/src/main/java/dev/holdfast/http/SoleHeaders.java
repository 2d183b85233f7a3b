package dev.holdfast.http;

import com.linecorp.armeria.common.HttpHeaders;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Headers that say whose a request is, of which there must be one. A proxy that adds its own to
/// what a client sent, instead of replacing it, would let each client choose.
///
/// @param headers of the request
public record SoleHeaders(HttpHeaders headers) implements HeaderValues {
  @Override
  public @Nullable String get(String name) {
    List<String> values = headers.getAll(name);
    if (values.stream().distinct().count() > 1) {
      throw Refusal.badArgument(
          "the header [" + name + "] is there " + values.size() + " times, with other values");
    }
    return values.isEmpty() ? null : values.getFirst();
  }
}
