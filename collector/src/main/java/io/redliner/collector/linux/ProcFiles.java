// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the small text files of {@code /proc} and {@code /sys}. */
public final class ProcFiles {

    /** The largest, {@code proc/stat}, is about 100 KiB on a machine with 512 cores. */
    private static final int MAX_BYTES = 1 << 20;

    private static final int FIRST = 1 << 11;

    private ProcFiles() {}

    /** Reads at most 1 MiB of a file; empty when it cannot be read. */
    public static Optional<String> text(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            // Hundreds of files a second are read here, of which most have less than this.
            byte[] text = new byte[FIRST];
            int filled = 0;
            for (int more = 0; more >= 0
                    && filled < MAX_BYTES; more = stream.read(text, filled, text.length - filled)) {
                filled += more;
                if (filled == text.length) {
                    text = Arrays.copyOf(text, Math.min(MAX_BYTES, 2 * filled));
                }
            }
            return Optional.of(new String(text, 0, filled, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // Who asked says in health what is missing.
            return Optional.empty();
        }
    }

    /**
     * Lists the entries of a folder.
     *
     * @param names a glob of the entries that count, such as {@code [0-9]*}
     * @throws IOException when the folder cannot be read, such as that of a process that ends meanwhile
     */
    public static List<Path> folder(Path folder, String names) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, names)) {
            return all(stream);
        }
    }

    static List<Path> all(DirectoryStream<Path> stream) throws IOException {
        try {
            List<Path> all = new ArrayList<>();
            stream.forEach(all::add);
            return all;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /**
     * Returns the fields of the {@code stat} of a process or a thread that follow its name, which may contain anything. The first
     * field is the state. Empty when the text is no such file.
     */
    public static List<String> stat(String text) {
        int name = text.lastIndexOf(") ");
        return name < 0 ? List.of() : List.of(text.substring(name + 2).stripTrailing().split(" ", -1));
    }

    /** Reads a file with one whole number; empty for anything else, such as {@code max}. */
    public static OptionalLong number(Path file) {
        return text(file).map(text -> number(text.strip())).orElse(OptionalLong.empty());
    }

    /** Returns the number behind a key, in a text with lines of a key and a number. */
    public static OptionalLong value(String text, String key) {
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(key) && line.length() > key.length()
                    && " :\t".indexOf(line.charAt(key.length())) >= 0) {
                String rest = line.substring(key.length() + 1).strip();
                int end = rest.indexOf(' ');
                return number(end < 0 ? rest : rest.substring(0, end));
            }
        }
        return OptionalLong.empty();
    }

    /** Parses a whole number; empty for anything else. */
    public static OptionalLong number(String digits) {
        try {
            return OptionalLong.of(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
