package dev.holdfast.node.api;

import static dev.holdfast.node.http.BodyRule.NONE;

import dev.holdfast.node.Rooms;
import dev.holdfast.node.http.Routes;

/// The APIs about the node and the cluster.
final class NodeApis {
  private NodeApis() {}

  static void add(Routes routes, Rooms rooms) {
    routes
        .on("GET", "/", NONE, new MainApi(rooms))
        .on("GET", "/_license", NONE, new LicenseApi(rooms), "accept_enterprise", "local")
        .on("GET", "/_xpack", NONE, new XpackApi(), "categories", "accept_enterprise");
  }
}
