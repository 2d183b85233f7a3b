package dev.holdfast.indexing.repository;

import dev.holdfast.clusterstate.repository.Repository;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/// `url`: a repository that others write, read by its address. A folder (`file:`) of `path.repo`,
/// or what `repositories.url.allowed_urls` allows; servers that cannot be asked what they hold are
/// refused.
record UrlRepository() implements RepositoryType {
  private static final String URL = "url";

  @Override
  public String name() {
    return "url";
  }

  @Override
  public Set<String> settings() {
    return Set.of(URL);
  }

  @Override
  public Map<String, String> idle() {
    return Map.of(
        "http_max_retries", "requests are tried as often as those to any store",
        "http_socket_timeout", "requests have the time of those to any store");
  }

  @Override
  public RepositoryPlace place(Repository repository, RepositoryConfig config) {
    String url = repository.setting(URL, "");
    if (url.isEmpty()) {
      throw RepositoryTypes.refused(repository.name(), "missing url", null);
    }
    String scheme;
    Path path;
    try {
      URI parsed = URI.create(url);
      scheme = String.valueOf(parsed.getScheme());
      path = Path.of(scheme.equals("file") ? requirePath(parsed) : "/");
    } catch (IllegalArgumentException e) {
      throw RepositoryTypes.refused(repository.name(), "url [" + url + "] is no URL", e);
    }
    if (!scheme.equals("file")) {
      throw RepositoryTypes.refused(
          repository.name(),
          "url ["
              + url
              + "] is not supported: only [file] can be asked what it holds; use the type of the"
              + " bucket with [readonly: true]",
          null);
    }
    boolean isAllowed = config.allowedUrls().stream().anyMatch(one -> isBelow(path, one));
    Path resolved =
        isAllowed ? path.normalize() : FolderRepository.within(path, config.sharedFolders());
    if (resolved == null) {
      throw RepositoryTypes.refused(
          repository.name(),
          "file url ["
              + url
              + "] doesn't match any of the locations specified by path.repo or"
              + " repositories.url.allowed_urls",
          null);
    }
    return RepositoryPlace.at("file:" + resolved);
  }

  /// Of `file:name` there is none: nobody says below which folder that lies.
  private static String requirePath(URI url) {
    String path = url.getPath();
    if (path == null || !path.startsWith("/")) {
      throw new IllegalArgumentException("[" + url + "] has no path from the root");
    }
    return path;
  }

  private static boolean isBelow(Path path, String allowed) {
    return allowed.startsWith("file:")
        && path.normalize().startsWith(Path.of(allowed.replaceFirst("file:/*", "/")).normalize());
  }
}
