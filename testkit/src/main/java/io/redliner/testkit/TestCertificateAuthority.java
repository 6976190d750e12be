// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate authority of its own, in a folder; made by the JDK's keytool. */
public final class TestCertificateAuthority {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Path folder;

    private final Path store;

    /** @param authority its name, and that of a new folder in the folder */
    public TestCertificateAuthority(Path folder, String authority) {
        this.folder = folder.resolve(authority);
        this.store = this.folder.resolve("store.p12");
        try {
            Files.createDirectories(this.folder);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        keytool("-genkeypair", "-alias", "authority", "-dname", "CN=" + authority, "-ext", "bc:c");
        write("authority");
    }

    /** The certificate of the authority itself, PEM. */
    public Path authority() {
        return folder.resolve("authority.pem");
    }

    /** A certificate for this name and the SPIFFE id {@code spiffe://redliner.test/NAME}, PEM. */
    public Path certificate(String name) {
        keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-ext",
                "san=dns:" + name + ",uri:spiffe://redliner.test/" + name, "-signer", "authority");
        write(name);
        return folder.resolve(name + ".pem");
    }

    /** Its key, PEM. */
    public Path key(String name) {
        return folder.resolve(name + ".key");
    }

    /** A store with that certificate and its key alone, under {@code changeit}. */
    public KeyStore store(String name) {
        try {
            KeyStore all = store();
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, PASSWORD);
            own.setKeyEntry(name, all.getKey(name, PASSWORD), PASSWORD, all.getCertificateChain(name));
            return own;
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private KeyStore store() {
        try (InputStream stream = Files.newInputStream(store)) {
            KeyStore loaded = KeyStore.getInstance("PKCS12");
            loaded.load(stream, PASSWORD);
            return loaded;
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void keytool(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool")
                .toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", new String(PASSWORD), "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC"));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool: " + said);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void write(String alias) {
        try {
            KeyStore loaded = store();
            Files.writeString(folder.resolve(alias + ".pem"),
                    pem("CERTIFICATE", loaded.getCertificate(alias).getEncoded()));
            Files.writeString(folder.resolve(alias + ".key"),
                    pem("PRIVATE KEY", loaded.getKey(alias, PASSWORD).getEncoded()));
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content)
                + "\n-----END " + type + "-----\n";
    }
}
