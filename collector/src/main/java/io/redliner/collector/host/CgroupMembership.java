// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The control groups that a process is in, from its {@code cgroup} file.
 *
 * @param paths by controller; that of version 2 under the empty name
 */
record CgroupMembership(Map<String, String> paths) {

    private static final String UNIFIED = "";

    static CgroupMembership parse(String text) {
        Map<String, String> paths = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            // Such as 4:cpu,cpuacct:/docker/1234 or 0::/user.slice
            String[] fields = line.split(":", 3);
            if (fields.length == 3) {
                for (String controller : fields[1].split(",", -1)) {
                    paths.put(controller, fields[2]);
                }
            }
        }
        return new CgroupMembership(paths);
    }

    /**
     * Returns the groups whose rules the process obeys for one controller, from its own up to the topmost that can be seen.
     *
     * @param root where {@code sys} is
     * @return empty when they cannot be seen from here
     */
    Optional<Groups> groups(Path root, String controller) {
        Path mounts = root.resolve("sys/fs/cgroup");
        String legacy = paths.get(controller);
        if (legacy != null) {
            return upward(mounts.resolve(controller), legacy).map(folders -> new Groups(false, folders));
        }
        return unified(root);
    }

    /** Returns the groups of version 2, from the process's own upward. */
    Optional<Groups> unified(Path root) {
        Path mounts = root.resolve("sys/fs/cgroup");
        String path = paths.get(UNIFIED);
        if (path == null) {
            return Optional.empty();
        }
        boolean hybrid = !Files.exists(mounts.resolve("cgroup.controllers"));
        return upward(hybrid ? mounts.resolve("unified") : mounts, path).map(folders -> new Groups(true, folders));
    }

    private static Optional<List<Path>> upward(Path mount, String path) {
        if (!Files.isDirectory(mount) || path.startsWith("/..")) {
            return Optional.empty();
        }
        Path own = mount.resolve(path.substring(Math.min(1, path.length()))).normalize();
        if (!Files.isDirectory(own)) {
            // In a container without a namespace for groups, its own is mounted as if it were the topmost.
            own = mount;
        }
        List<Path> folders = new ArrayList<>();
        for (Path folder = own; folder != null && folder.startsWith(mount); folder = folder.getParent()) {
            folders.add(folder);
        }
        return Optional.of(folders);
    }

    /**
     * Some groups, from the innermost outward.
     *
     * @param unified whether they are of version 2
     */
    record Groups(boolean unified, List<Path> folders) {}
}
