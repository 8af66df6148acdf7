@echo off
rem The engine for GUIs on Windows. The first start installs and builds what is missing.
if not exist "%~dp0..\dist\engine\main.js" (node "%~dp0bootstrap.mjs" || exit /b 1)
node "%~dp0..\dist\engine\main.js" %*
