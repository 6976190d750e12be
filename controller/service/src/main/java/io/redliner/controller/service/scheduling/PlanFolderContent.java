// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.contract.text.NotUtf8Exception;
import io.redliner.contract.text.Utf8;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The content of the plan folder as it was read at one time.
 *
 * @param texts texts by the file's path in the folder, with {@code /}
 * @param unreadable reasons why other files could not be read, by their path; the path of a folder ends with {@code /}
 */
record PlanFolderContent(SortedMap<String, String> texts, SortedMap<String, String> unreadable) {

    private static final Pattern WANTED = Pattern.compile(".+\\.(?:yaml|yml|json|ics)");

    private static final int MAX_FILES = 20_000;

    private static final int MAX_LENGTH = 512 * 1024;

    private static final int MAX_DEPTH = 5;

    PlanFolderContent {
        texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
        unreadable = Collections.unmodifiableSortedMap(new TreeMap<>(unreadable));
    }

    /** Thrown when the folder is missing or too large. */
    static final class UnreadableException extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /**
     * Reads every file with a known ending. Links to files are followed; a link to a folder, or a
     * folder that is too deep, is named as unreadable. Files and folders whose names
     * begin with a dot are skipped, such as the folders that Kubernetes keeps beside its links.
     *
     * @throws UnreadableException when there is no folder, or too many files are in it
     * @throws IOException when something cannot be read, perhaps because it is changing
     */
    static PlanFolderContent read(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new UnreadableException("there is no folder " + folder);
        }
        SortedMap<String, String> texts = new TreeMap<>();
        SortedMap<String, String> unreadable = new TreeMap<>();
        int read = 0;
        for (Path file : files(folder, folder, 0, unreadable)) {
            String name = name(folder, file);
            if (++read > MAX_FILES) {
                throw new UnreadableException("there are more than " + MAX_FILES + " files");
            }
            read(file, name, texts, unreadable);
        }
        return new PlanFolderContent(texts, unreadable);
    }

    private static String name(Path root, Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private static List<Path> files(Path root, Path folder, int depth, SortedMap<String, String> unreadable)
            throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> found = new ArrayList<>();
            for (Path entry : entries.sorted().toList()) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith(".")) {
                    continue;
                }
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    found.addAll(below(root, entry, depth + 1, unreadable));
                } else if (Files.isDirectory(entry)) {
                    unreadable.put(name(root, entry) + "/",
                            "is a link to a folder, which is not followed: put the folder here, or link its files");
                } else if (WANTED.matcher(name).matches()) {
                    found.add(entry);
                }
            }
            return found;
        }
    }

    private static List<Path> below(Path root, Path folder, int depth, SortedMap<String, String> unreadable) {
        if (depth > MAX_DEPTH) {
            unreadable.put(name(root, folder) + "/",
                    "is more than " + MAX_DEPTH + " folders deep: its files are not read");
            return List.of();
        }
        try {
            return files(root, folder, depth, unreadable);
        } catch (IOException | UncheckedIOException denied) {
            unreadable.put(name(root, folder) + "/", "cannot be read: " + denied);
            return List.of();
        }
    }

    private static void read(Path file, String name, SortedMap<String, String> texts,
            SortedMap<String, String> unreadable) {
        try {
            if (Files.size(file) > MAX_LENGTH) {
                unreadable.put(name, "is longer than " + MAX_LENGTH / 1024 + " KiB");
                return;
            }
            byte[] bytes = Files.readAllBytes(file);
            texts.put(name, name.endsWith(".ics") ? IcsText.decode(bytes) : Utf8.decodeFile(bytes));
        } catch (NotUtf8Exception malformed) {
            unreadable.put(name, malformed.getMessage());
        } catch (IOException denied) {
            unreadable.put(name, "cannot be read: " + denied);
        }
    }
}
