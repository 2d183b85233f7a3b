package dev.holdfast.clusterstate;

/// An index: the name people use and the id that never comes back, even when the name does.
public record IndexId(String name, String uuid) {
  @Override
  public String toString() {
    return "[" + name + "/" + uuid + "]";
  }
}
