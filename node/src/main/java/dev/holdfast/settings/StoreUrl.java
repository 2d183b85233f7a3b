package dev.holdfast.settings;

import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.open.Stores;

/// The setting `store`. What can name no store is wrong use: a supervisor that started the node
/// again would see the same for ever.
final class StoreUrl {
  private StoreUrl() {}

  /// @throws IllegalArgumentException with the reason
  static String checked(String url) {
    if (url.isEmpty()) {
      throw new IllegalArgumentException("it is empty");
    }
    try {
      Stores.requireUrl(url);
    } catch (StoreException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
    return url;
  }
}
