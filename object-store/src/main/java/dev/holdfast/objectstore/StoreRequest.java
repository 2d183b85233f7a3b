package dev.holdfast.objectstore;

/// One request to a store, to be sent once or more often.
public interface StoreRequest<T> {
  T send() throws StoreException;
}
