// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.file;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the services are described.
 *
 * @param file the services file, see {@link ServicesFile}
 */
@ConfigurationProperties("redliner.redirector.services")
public record ServicesProperties(@DefaultValue("services.yaml") Path file) {}
