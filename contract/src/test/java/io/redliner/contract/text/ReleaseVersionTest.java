// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseVersionTest {

    @TempDir
    Path folder;

    @Test
    void a_jar_says_the_version_of_its_manifest() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.3");
        Path jar = folder.resolve("contract.jar");
        String name = ReleaseVersion.class.getName();
        String file = name.replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = ReleaseVersion.class.getClassLoader().getResourceAsStream(file)) {
            out.putNextEntry(new JarEntry(file));
            in.transferTo(out);
        }
        try (URLClassLoader loader = new URLClassLoader(new URL[]{jar.toUri().toURL()}, null)) {
            assertThat(loader.loadClass(name).getMethod("get").invoke(null)).isEqualTo("1.2.3");
        }
    }

    @Test
    void classes_outside_of_a_jar_are_no_release() {
        assertThat(ReleaseVersion.get()).isEqualTo("unreleased");
    }
}
