package dev.holdfast.api.cat;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.Routes;
import java.util.ArrayList;
import java.util.List;

/// Adds `_cat` APIs to the table of routes, with the parameters that all of them take.
public final class CatRoutes {
  private final Routes routes;
  private final List<String> paths = new ArrayList<>();

  public CatRoutes(Routes routes) {
    this.routes = routes;
  }

  public void on(String path, CatApi.Maker maker, String... parameters) {
    on(path, maker, List.of(parameters));
  }

  public void on(String path, CatApi.Maker maker, List<String> parameters) {
    add("GET", path, BodyRule.NONE, maker, parameters);
  }

  /// The same of a table that a body may ask for.
  public void onBody(String path, CatApi.Maker maker, List<String> parameters) {
    add("GET|POST", path, BodyRule.OPTIONAL, maker, parameters);
  }

  private void add(
      String verbs, String path, BodyRule body, CatApi.Maker maker, List<String> parameters) {
    List<String> all = new ArrayList<>(CatTable.PARAMETERS);
    all.addAll(parameters);
    paths.add(path);
    routes.on(verbs, path, body, new CatApi(maker), all);
  }

  /// `GET /_cat`: the paths there are.
  public Api contents() {
    return request -> Answer.text(200, "=^.^=\n" + String.join("\n", paths) + "\n");
  }
}
