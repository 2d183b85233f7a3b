package dev.holdfast.document.ingest.processor.network;

import com.google.common.collect.ImmutableSet;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What databases of a kind, known by how their types end, tell, and what of it is written by
/// default.
enum IpDatabaseKind {
  CITY(
      "-City",
      EnumSet.of(
          IpProperty.CONTINENT_NAME,
          IpProperty.COUNTRY_NAME,
          IpProperty.COUNTRY_ISO_CODE,
          IpProperty.REGION_ISO_CODE,
          IpProperty.REGION_NAME,
          IpProperty.CITY_NAME,
          IpProperty.LOCATION),
      EnumSet.range(IpProperty.CONTINENT_CODE, IpProperty.POSTAL_CODE)),
  COUNTRY(
      "-Country",
      EnumSet.of(IpProperty.CONTINENT_NAME, IpProperty.COUNTRY_NAME, IpProperty.COUNTRY_ISO_CODE),
      EnumSet.range(IpProperty.CONTINENT_CODE, IpProperty.REGISTERED_COUNTRY_IN_EUROPEAN_UNION)),
  ASN(
      "-ASN",
      EnumSet.of(IpProperty.IP, IpProperty.ASN, IpProperty.ORGANIZATION_NAME, IpProperty.NETWORK)),
  ISP(
      "-ISP",
      EnumSet.of(
          IpProperty.IP,
          IpProperty.NETWORK,
          IpProperty.ASN,
          IpProperty.ORGANIZATION_NAME,
          IpProperty.ISP,
          IpProperty.ISP_ORGANIZATION_NAME,
          IpProperty.MOBILE_COUNTRY_CODE,
          IpProperty.MOBILE_NETWORK_CODE)),
  DOMAIN("-Domain", EnumSet.of(IpProperty.DOMAIN)),
  CONNECTION_TYPE("-Connection-Type", EnumSet.of(IpProperty.CONNECTION_TYPE)),
  ANONYMOUS_IP(
      "-Anonymous-IP", EnumSet.range(IpProperty.HOSTING_PROVIDER, IpProperty.RESIDENTIAL_PROXY));

  private final String ending;
  private final ImmutableSet<IpProperty> byDefault;
  private final ImmutableSet<IpProperty> all;

  IpDatabaseKind(String ending, EnumSet<IpProperty> byDefault) {
    this(ending, byDefault, byDefault);
  }

  IpDatabaseKind(String ending, EnumSet<IpProperty> byDefault, EnumSet<IpProperty> all) {
    this.ending = ending;
    this.byDefault = ImmutableSet.copyOf(byDefault);
    this.all = ImmutableSet.<IpProperty>builder().addAll(all).add(IpProperty.IP).build();
  }

  /// The kind of a database; null for one that nobody knows.
  ///
  /// @param type as its maker calls it: `GeoLite2-City`
  static @Nullable IpDatabaseKind of(String type) {
    for (IpDatabaseKind kind : values()) {
      if (type.endsWith(kind.ending)) {
        return kind;
      }
    }
    return null;
  }

  Set<IpProperty> byDefault() {
    return byDefault;
  }

  boolean tells(IpProperty property) {
    return all.contains(property);
  }
}
