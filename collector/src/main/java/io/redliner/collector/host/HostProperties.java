// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether and where this machine is looked at.
 *
 * @param enabled whether at all
 * @param root the folder that the machine's {@code proc} and {@code sys} are in; another one than {@code /} where the
 *        collector runs in a container and they are mounted
 */
@ConfigurationProperties("redliner.collector.host")
public record HostProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/") String root) {

    public HostProperties {
        if (enabled && !Files.isDirectory(Path.of(root, "proc"))) {
            throw new IllegalArgumentException(
                    "redliner.collector.host.root is a folder with the kernel's proc in it; not '" + root + "'");
        }
    }

    /** As a path. Spring would take a setting of that type for a resource of the class path. */
    Path folder() {
        return Path.of(root);
    }
}
