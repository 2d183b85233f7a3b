package dev.holdfast.script.value;

/// What points are within.
public record GeoBoundingBox(GeoPoint topLeft, GeoPoint bottomRight) {}
