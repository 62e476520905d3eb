@echo off
rem Runs the command line on Windows, with all arguments.
rem
rem   JAVA_HOME          the Java to use, 17 or newer; else the java of the PATH
rem   UNSEEN_OPTS        options that every run takes, such as -m 256M
rem   UNSEEN_JAVA_OPTS   more options for Java, such as -Xmx8g
rem   UNSEEN_EXTRA_CLASSPATH   jars for unseen kafka: those of a --value-deserializer
setlocal DisableDelayedExpansion
set "UNSEEN_HOME=%~dp0.."
set "UNSEEN_JAVA=java"
if defined JAVA_HOME set "UNSEEN_JAVA=%JAVA_HOME%\bin\java.exe"
if exist "%UNSEEN_HOME%\runtime\bin\java.exe" set "UNSEEN_JAVA=%UNSEEN_HOME%\runtime\bin\java.exe"
if "%UNSEEN_JAVA%"=="java" goto find
if exist "%UNSEEN_JAVA%" goto door
echo unseen: JAVA_HOME (%JAVA_HOME%) has no bin\java.exe; set it to a JDK 17 or newer 1>&2
exit /b 1
:find
where java >nul 2>nul
if not errorlevel 1 goto door
echo unseen: java is not found; install a JDK 17 or newer, or set JAVA_HOME 1>&2
exit /b 1

rem Some commands have jars of their own, which others run without.
:door
set "UNSEEN_DOOR=%~1"
if "%~1"=="help" set "UNSEEN_DOOR=%~2"
set "UNSEEN_CLASSPATH=%UNSEEN_HOME%\lib\*"
set "UNSEEN_TUNING=-XX:+UseSerialGC -Xmn16m -XX:MaxRAMPercentage=90"
for %%d in (flink kafka serve lab) do if "%UNSEEN_DOOR%"=="%%d" goto add
goto run
:add
if exist "%UNSEEN_HOME%\lib\%UNSEEN_DOOR%" goto found
echo unseen: %UNSEEN_DOOR% is not part of this archive; unpack unseen-VERSION-%UNSEEN_DOOR%.zip over it 1>&2
exit /b 1
:found
set "UNSEEN_CLASSPATH=%UNSEEN_CLASSPATH%;%UNSEEN_HOME%\lib\%UNSEEN_DOOR%\*;%UNSEEN_HOME%\lib\charts\*"
if "%UNSEEN_DOOR%"=="lab" goto run
if "%UNSEEN_DOOR%"=="kafka" if defined UNSEEN_EXTRA_CLASSPATH set "UNSEEN_CLASSPATH=%UNSEEN_CLASSPATH%;%UNSEEN_EXTRA_CLASSPATH%"
set "UNSEEN_TUNING=-XX:MaxRAMPercentage=75"
rem Java 24 and later warn of what Kafka and Flink call; Java 17 does not know the option.
set "UNSEEN_QUIET=--sun-misc-unsafe-memory-access=allow"
"%UNSEEN_JAVA%" %UNSEEN_QUIET% -version >nul 2>nul
if not errorlevel 1 set "UNSEEN_TUNING=%UNSEEN_TUNING% %UNSEEN_QUIET%"
if not "%UNSEEN_DOOR%"=="flink" goto run
set "UNSEEN_TUNING=%UNSEEN_TUNING% --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED"

:run
set JAVA_TOOL_OPTIONS=
set JDK_JAVA_OPTIONS=
rem zstd loads native code, of which Java 24 and later would warn.
"%UNSEEN_JAVA%" %UNSEEN_TUNING% --enable-native-access=ALL-UNNAMED -XX:+DisplayVMOutputToStderr -Xlog:disable -XX:-PrintWarnings -Dunseen.share="%UNSEEN_HOME%\share" %UNSEEN_JAVA_OPTS% -cp "%UNSEEN_CLASSPATH%" dev.unseen.cli.Main %*
exit /b %ERRORLEVEL%
