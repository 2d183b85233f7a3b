package dev.holdfast.script.value;

/// What points are within.
public record GeoBox(GeoPoint topLeft, GeoPoint bottomRight) {}
