/// Queries on places: distance, box, polygon, shapes. [GeoOptions] has what they and sorts by
/// distance read alike: the field, points in any notation, and what becomes of coordinates that are
/// not on earth.
@NullMarked
package dev.holdfast.query.clause.geo;

import org.jspecify.annotations.NullMarked;
