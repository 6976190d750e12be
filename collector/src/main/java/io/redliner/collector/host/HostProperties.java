// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the host probe.
 *
 * @param enabled whether the collector measures this machine
 */
@ConfigurationProperties(prefix = "redliner.collector.host", ignoreUnknownFields = false)
record HostProperties(@DefaultValue("true") boolean enabled) {}
