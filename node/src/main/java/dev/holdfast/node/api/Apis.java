package dev.holdfast.node.api;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.http.Routes;

/// Every API of this server.
public final class Apis {
  private Apis() {}

  public static Routes all(Rooms rooms) {
    Routes routes = new Routes();
    NodeApis.add(routes, rooms);
    DataApis.add(routes, rooms);
    IndexApis.add(routes, rooms);
    return routes;
  }
}
