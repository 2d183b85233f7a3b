package dev.holdfast.objectstore;

/// One request to a store, to be sent once or more often.
public interface Request<T> {
  T send() throws StoreException;
}
