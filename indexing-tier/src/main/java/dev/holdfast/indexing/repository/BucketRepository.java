package dev.holdfast.indexing.repository;

import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.StoreException;
import java.util.Map;
import java.util.Set;

/// `s3`, `gcs` and `azure`: a bucket, with the endpoint and the credentials of the cluster's own
/// store of that kind. The cluster's own bucket means the cluster's own store: nothing is copied.
///
/// @param name of the type
/// @param scheme of the store's URL
/// @param bucket the setting that names the bucket
record BucketRepository(String name, String scheme, String bucket) implements RepositoryType {
  private static final String BASE = "base_path";
  private static final String CLIENT = "client";
  private static final String DEFAULT = "default";
  private static final String OF_STORE = "objects are written as those of the store are";

  @Override
  public Set<String> settings() {
    return Set.of(bucket, BASE, CLIENT);
  }

  @Override
  public Map<String, String> idle() {
    return Map.of(
        "server_side_encryption", OF_STORE,
        "buffer_size", OF_STORE,
        "canned_acl", OF_STORE,
        "storage_class", OF_STORE,
        "application_name", OF_STORE,
        "location_mode", OF_STORE,
        "delete_objects_max_size", OF_STORE,
        "max_multipart_parts", OF_STORE);
  }

  @Override
  public RepositoryPlace place(Repository repository, RepositoryConfig config) {
    String named = repository.setting(bucket, "");
    if (named.isEmpty()) {
      throw RepositoryTypes.refused(
          repository.name(), "No " + bucket + " defined for repository", null);
    }
    String client = repository.setting(CLIENT, DEFAULT);
    if (!client.equals(DEFAULT)) {
      throw RepositoryTypes.refused(
          repository.name(),
          "Unknown client name [" + client + "]. Existing clients: " + DEFAULT,
          null);
    }
    String base = repository.setting(BASE, "").replaceAll("^/+|/+$", "");
    String url = scheme + "://" + named + (base.isEmpty() ? "" : "/" + base);
    try {
      BucketPrefix place = BucketPrefix.parse(url);
      if (isOwn(place, config)) {
        return RepositoryPlace.own(ObjectName.of(base.isEmpty() ? "~" : base));
      }
    } catch (StoreException e) {
      throw RepositoryTypes.refused(repository.name(), String.valueOf(e.getMessage()), e);
    }
    return RepositoryPlace.at(url);
  }

  private static boolean isOwn(BucketPrefix place, RepositoryConfig config) throws StoreException {
    if (!BucketPrefix.scheme(config.storeUrl()).equals(place.scheme())) {
      return false;
    }
    BucketPrefix own = BucketPrefix.parse(config.storeUrl());
    return own.bucket().equals(place.bucket());
  }
}
