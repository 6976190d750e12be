// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Removes from jars the native libraries of other systems and processors than this one, Linux with glibc: a third of an image. */
final class OwnNatives {

    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|jnilib|dylib)");

    private static final Pattern OTHER_SYSTEM = Pattern
            .compile(".*(\\.(dll|jnilib|dylib)|aix|freebsd|sunos|musl|android).*");

    private static final String X86_64 = "x86[-_]64|amd64|linux64";

    private static final String ARM64 = "aarch_?64|arm64";

    private static final String OTHERS = "s390x|ppc|riscv|linux32|/x86/|i386|armv?[67]|/arm/|loongarch|mips";

    private OwnNatives() {}

    public static void main(String[] jars) throws IOException {
        String foreign = OTHERS + "|" + (System.getProperty("os.arch").equals("aarch64") ? X86_64 : ARM64);
        Pattern otherProcessor = Pattern.compile(".*(" + foreign + ").*");
        for (String jar : jars) {
            List<String> dropped;
            try (FileSystem zip = FileSystems.newFileSystem(Path.of(jar))) {
                try (Stream<Path> files = Files.walk(zip.getPath("/"))) {
                    dropped = files.map(Path::toString).filter(name -> {
                        String lower = name.toLowerCase(Locale.ROOT);
                        return NATIVE.matcher(lower).matches()
                                && (OTHER_SYSTEM.matcher(lower).matches() || otherProcessor.matcher(lower).matches());
                    }).toList();
                }
                for (String name : dropped) {
                    Files.delete(zip.getPath(name));
                }
            }
        }
    }
}
