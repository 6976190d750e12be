// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether this machine is looked at.
 *
 * @param enabled whether at all
 */
@ConfigurationProperties(prefix = "redliner.collector.host", ignoreUnknownFields = false)
record HostProperties(@DefaultValue("true") boolean enabled) {}
